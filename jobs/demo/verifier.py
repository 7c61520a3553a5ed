# ruff: noqa: D100, D103, E401, E501, E701, E702, I001, S101, SIM212
# mypy: ignore-errors
# fmt: off
# The 15 lines of an independent verifier (reliability.md 1.5); they import nothing of ours and judge alone.
import hashlib, hmac, json, sys
def enc(*p): return b"".join(len(b).to_bytes(4, "big") + b for b in (x if isinstance(x, bytes) else str(x).encode() for x in p))
def mac(k, *p): return hmac.new(k, enc(*p), hashlib.sha256).digest()
def roll(k, label, i, n):
    lim, c = 2**64 - 2**64 % n, 0
    while True:
        d = mac(k, "ptd1/roll", label, i, c); c += 1
        for o in (0, 8, 16, 24):
            x = int.from_bytes(d[o:o+8], "big")
            if x < lim: return 1 + x % n
r = json.load(sys.stdin); s = bytes.fromhex(r["seed"])
assert hashlib.sha256(enc("ptd1/commit", r["game"], r["turn"], s)).hexdigest() == r["commitment"], "seed does not match the commitment"
k = mac(s, "ptd1/key", r["game"], r["turn"], enc(*[bytes.fromhex(x[4:]) if x.startswith("hex:") else x for x in r["entropy"]]))
bad = [x for x in r["rolls"] if roll(k, x["label"], x["i"], x["n"]) != x["value"]]
print("OK" if not bad else bad, len(r["rolls"]), "rolls"); sys.exit(bool(bad))
