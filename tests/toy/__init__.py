"""`feria`: a toy rule set that uses every member of the rule set protocol; rules in README.md.

It exists so that each member of the protocol has a smallest user and a scenario, apart from the five
games. Which member stands where (scenarios: tests/scenarios/toy/):

Ruleset
    options                 `to_win`
    seats                   the keys of `folk`
    groups                  one for each seat (`hurtar`), `director` (the queue)
    view                    other people's coins are hidden: `coins` is None there
    check                   a charm or apprentice that is named like a seat, a stall without places
    outcome                 who has `to_win` prizes
    migrate                 version "1" called coins `reales`
    questions               hold (`segunda` to a seat, `lluvia` to the director), wait (`oferta`),
                            default (`aplauso`)

Kind `jornada` (main) and `pulso` (track)
    orders, Held, Moment    `esperar {moment}: {act}` (esperar)
    clause                  `casi: tirar`, an answer given ahead (casi-casi)
    mark                    `(con amuleto)` (orquesta)
    actors                  `Nico: trabajar` (orquesta)
    who                     `pregonar` and `trabajar` alone for an apprentice
    joint                   `contratar orquesta`, more than half of all seats (orquesta)
    conditions              `si llueve: …` (cola-y-si-no, lluvia)
    triggers                `a que … juegue` by `tell`, `antes de que … juegue` by `moment` (esperar)
    default_orders          `trabajar` (most files), `aguantar` (pulso)
    open                    a bout with its stake, from an order or from `[[track]]` (pulso)
    cancelled, tell, template, report, steps   every file

Plan
    accept                  one act a pair of hands, refused; too few coins, warned
    close                   a note for an idle apprentice (orquesta)

Turn
    choose with a check     places at a stall in the queue's order (cola-y-si-no)
    carry_out, Impossible   a play without coins or prizes (manos-largas, esperar)
    `si no`                 condition failed, place taken, impossible at its moment, held and impossible
    dice.roll, pool, draw   `play`, `push`, `weather` and `prize`
    dice.order_of           `queue`, each seat a roll of its own
    group dice              `filch` in the thief's group (manos-largas)
    ask                     open, answered, given ahead, published together or one after the other (casi-casi)
    hold, moment, settle, drop_held   esperar
    open_track, close_track           pulso
    scratch                 weather, band, places taken, closed stalls
    facts                   words of prose for `pregonar` (orquesta)
    track, number, options  events and the names of bouts
"""
