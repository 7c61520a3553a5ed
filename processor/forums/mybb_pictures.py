"""Pictures as files of a MyBB post.

A form for a post has a name of its own, `posthash`. Files that are handed over under it become those of the
post that is sent under it; a text names each by its number in the forum.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from parsers.pages import mybb
from parsers.pages.forms import Form, parse_form
from parsers.pages.mybb_pictures import parse_kept, takes_files
from processor.forums.form_pictures import judge_handed
from processor.forums.http import Answer, picture_file
from processor.forums.sending import Sender, not_stored
from processor.forums.session import Session, as_forum_errors
from processor.ports import ForumError
from rules.engine.messages import msg
from rules.play.posts import ATTACHMENT, Refused, Unknown, Uploaded

_NAME = "posthash"
# As MyBB's own scripts ask: for an answer in JSON, and to put a file in the place of one with its name, since
# it lies there already where an answer was lost. `newreply` only shows the form: nothing can be posted so.
_HANDED = {"action": "newreply", "ajax": "1", "updateattachment": "1", "updateconfirmed": "1"}


def hand_over(
    session: Session, sender: Sender, topic: str, name: str, content: bytes, beside: str
) -> Uploaded | Refused | Unknown:
    """See `Uploading.upload`. All pictures of a post go under the name of the first one's form."""
    path = f"newreply.php?tid={topic}"
    try:
        tree = session.fetch(path).tree
        with as_forum_errors():
            mybb.check_notice(tree)
            form = parse_form(tree, "message", _NAME, whole=True)
    except ForumError as error:
        return not_stored(error)
    posthash = beside or dict(form.fields)[_NAME]
    if not takes_files(tree):
        return Refused(msg("sent/no-upload"))
    data = form.filled(**_HANDED, **{_NAME: posthash})
    files = {"attachments[]": picture_file(_by_content(name, content), content)}

    def read(answer: Answer) -> Uploaded | Refused:
        number, said = parse_kept(answer.body, answer.content_type)
        if not number:
            return Refused(said or msg("sent/no-upload"))
        return Uploaded(f"{ATTACHMENT}:{number}", posthash)

    return sender.send(
        "upload",
        lambda: session.send(f"{path}&processed=1", data, path, files),
        lambda answer: judge_handed(session, sender, answer, read),
    )


def _by_content(name: str, content: bytes) -> str:
    """A file's name under which nothing else can lie."""
    stem, _, ending = name.rpartition(".")
    return f"{stem}-{sha256(content).hexdigest()[:12]}.{ending}"


def enclose(form: Form, handles: tuple[str, ...]) -> Form:
    """The form for a post under the name under which its pictures were handed over. A post has one: pictures
    under another, as behind a crash, are the post's of none.
    """
    named = tuple((_NAME, handle) for handle in handles[:1])
    return replace(form, fields=form.fields + named)  # the last of a name counts
