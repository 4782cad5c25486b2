"""Results as the tables of docs/synthesis.md."""

from .report import markdown, plus, share

OURS = ("protector", "secure bus")


def levels(part, where):
    """With every CARRY4, and with a chain as one level."""
    return " / ".join(str(part[f"longest_{where}{suffix}"]["levels"]) for suffix in ("", "_chains_as_one"))


def of_devices(each, resource="luts"):
    return "; ".join(f"{100 * figures[resource]:.1f} %" for figures in each["share"].values())


def baseline(each):
    """The SoC that the others with one core are compared with, part by part."""
    head = ["", "LUTs", "of them memory", "flip-flops", "block RAMs", "DSPs", "levels inside"]
    rows = []
    for name, title in (("tiles", "tile"), ("rest", "rest")):
        part = each["parts"][name]
        inside = str(part["longest_inside"]["levels"])
        if name == "tiles":
            inside += f"; {part['longest_without_fpu']['levels']} without the FPU"
        rows.append([title, *resources(part), inside])
    rows.append(["chip", *resources(each["soc"]), ""])
    rows.append(["of a VU47P; of a U250", of_devices(each), "", *(of_devices(each, name) for name in ("flip_flops", "block_rams", "dsps")), ""])
    return markdown(head, rows) + "\n"


def resources(part):
    return [f"{part['luts']:,}", f"{part['luts_as_memory']:,}", f"{part['flip_flops']:,}", f"{part['block_rams']:g}", f"{part['dsps']:,}"]


def one_core(results):
    head = ["one core", "LUTs", "more than without", "protector", "AES share of it", "flip-flops", "block RAMs", "levels inside", "levels through",
            "LUTs of a VU47P; of a U250"]
    rows = []
    for each in results:
        part = each["parts"]["protector"]
        rows.append([f"`{each['config']}`", f"{each['soc']['luts']:,}", plus(each["increase"]), f"{part['luts']:,}",
                     share(part["aes"]["luts"], part["luts"]), f"{part['flip_flops']:,}", f"{part['block_rams']:g}", levels(part, "inside"),
                     levels(part, "through"), of_devices(each)])
    return markdown(head, rows) + "\n"


def two_cores(results):
    head = ["two cores", "LUTs", "more than without", "of it", "AES share", "flip-flops", "levels inside", "levels through",
            "LUTs of a VU47P; of a U250"]
    rows = []
    for each in results:
        parts = [(name, each["parts"][name]) for name in OURS if name in each["parts"]]

        def column(text):
            return "<br>".join(text(name, part) for name, part in parts)
        rows.append([f"`{each['config']}`", f"{each['soc']['luts']:,}", plus(each["increase"]), column(lambda name, part: f"{name} {part['luts']:,}"),
                     column(lambda name, part: share(part["aes"]["luts"], part["luts"])), column(lambda name, part: f"{part['flip_flops']:,}"),
                     column(lambda name, part: levels(part, "inside")), column(lambda name, part: levels(part, "through")), of_devices(each)])
    return markdown(head, rows) + "\n"


def tables(results, baselines):
    """{figure: its table}; `baselines` are the names of the SoCs that others are compared with, of one core and of two."""
    known = {each["config"]: each for each in results}
    one, two = (known[name] for name in baselines)
    single = [each for each in results if each["increase"] and each["increase"]["over"] == baselines[0] and "protector" in each["parts"]]
    dual = [two] + [each for each in results if each["increase"] and each["increase"]["over"] == baselines[1]]
    return {"synthesis-baseline": baseline(one), "synthesis": one_core(single), "synthesis-two-cores": two_cores(dual)}
