"""Results as Markdown and as a chart."""

from xml.sax.saxutils import escape

COLOURS = {"tiles": "#56b4e9", "rest": "#999999", "secure bus": "#009e73", "protector": "#d55e00", "AES": "#0072b2"}


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else ""


def plus(result):
    return f"+{result['luts']:,} ({share(result['luts'], result['of_luts'])})" if result else ""


def table(results, devices):
    head = ["configuration", "LUTs", "as memory", "flip-flops", "block RAMs", "DSPs", "LUTs more than without", "AES share of protector or bus",
            *(f"LUTs of {device}" for device in devices)]
    rows = [[each["config"], f"{each['soc']['luts']:,}", f"{each['soc']['luts_as_memory']:,}", f"{each['soc']['flip_flops']:,}",
             f"{each['soc']['block_rams']:g}", f"{each['soc']['dsps']:,}", plus(each["increase"]),
             ", ".join(share(part["aes"]["luts"], part["luts"]) for name, part in each["parts"].items() if part["aes"]["luts"]),
             *(share(each["soc"]["luts"], device["luts"]) for device in devices.values())] for each in results]
    return markdown(head, rows)


def paths(results):
    head = ["configuration", "part", "LUTs", "flip-flops", "block RAMs", "levels inside", "carry chains as one", "levels through",
            "carry chains as one", "longest path inside: from", "to"]
    rows = []
    for each in results:
        for name, part in each["parts"].items():
            inside = part["longest_inside"]
            found = [part[key] for key in ("longest_inside", "longest_inside_chains_as_one", "longest_through", "longest_through_chains_as_one")]
            rows.append([each["config"], name, f"{part['luts']:,}", f"{part['flip_flops']:,}", f"{part['block_rams']:g}",
                         *(path["levels"] if path else "" for path in found),
                         f"`{inside['start']}`" if inside else "", f"`{inside['end']}`" if inside else ""])
    return markdown(head, rows)


def markdown(head, rows):
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows])


def chart(results):
    """Bars of LUTs, one for each configuration, part by part."""
    left, width, bar, gap, top = 290, 620, 22, 10, 70
    widest = max(each["soc"]["luts"] for each in results)
    step = next(size for size in (5000, 10000, 20000, 50000, 100000, 200000, 500000, 10**9) if widest / size <= 8)
    scale = width / widest
    height = top + len(results) * (bar + gap) + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 90}" height="{height}" font-family="sans-serif" font-size="13">',
           f'<rect width="{left + width + 90}" height="{height}" fill="white"/>',
           '<text x="20" y="24" font-size="16" font-weight="bold">LUTs on UltraScale+, by Yosys</text>']
    for number, (name, colour) in enumerate(COLOURS.items()):
        out.append(f'<rect x="{left + 110 * number}" y="38" width="12" height="12" fill="{colour}"/>'
                   f'<text x="{left + 110 * number + 17}" y="49">{escape(name)}</text>')
    for mark in range(0, widest + 1, step):
        x = left + mark * scale
        out.append(f'<line x1="{x:.1f}" y1="{top - 6}" x2="{x:.1f}" y2="{height - 30}" stroke="#dddddd"/>'
                   f'<text x="{x:.1f}" y="{height - 12}" text-anchor="middle">{mark:,}</text>')
    for number, each in enumerate(results):
        y, x = top + number * (bar + gap), left
        out.append(f'<text x="{left - 8}" y="{y + 16}" text-anchor="end">{escape(each["config"])}</text>')
        aes = sum(part["aes"]["luts"] for part in each["parts"].values())
        for name, colour in COLOURS.items():
            part = each["parts"].get(name)
            luts = aes if name == "AES" else part["luts"] - part["aes"]["luts"] if part else 0
            if luts:
                out.append(f'<rect x="{x:.1f}" y="{y}" width="{luts * scale:.1f}" height="{bar}" fill="{colour}">'
                           f'<title>{escape(name)}: {luts:,}</title></rect>')
            x += luts * scale
        out.append(f'<text x="{x + 6:.1f}" y="{y + 16}">{each["soc"]["luts"]:,}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
