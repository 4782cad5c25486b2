"""Step 3: one register for each function, in order of priority."""


def priorities(found, matched, stores):
    """{function: reads of values that its stores pass to their matched loads}."""
    passed = {}
    for load, store in matched.items():
        passed[store] = passed.get(store, 0) + found[load][store]
    return {function: sum(passed[store] for store in mine) for function, mine in stores.items()}


def allocate(priority, share, limit=None):
    """{function: register}. An earlier register is used again if all its functions can share; a new one is taken while there is one.

    Without a limit this counts what the program needs.
    """
    registers, members = {}, []
    for function in sorted(priority, key=lambda function: (-priority[function], function)):
        for register, sharers in enumerate(members):
            if all(share(function, sharer) for sharer in sharers):
                break
        else:
            if limit is not None and len(members) == limit:
                continue
            register = len(members)
            members.append([])
        members[register].append(function)
        registers[function] = register
    return registers
