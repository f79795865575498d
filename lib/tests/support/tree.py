"""What assistive technology is told about a page: the accessibility tree, and the stops of the Tab key."""

from itertools import pairwise

#: Roles of what a reader operates: each must have a name.
CONTROLS = {
    "button", "checkbox", "combobox", "link", "listbox", "menuitem", "option", "radio", "searchbox", "slider",
    "spinbutton", "switch", "tab", "textbox",
}  # fmt: skip
LANDMARKS = {"banner", "complementary", "contentinfo", "main", "navigation", "region", "search"}
#: Roles that a screen reader passes over, because their content is read instead.
SILENT = {"generic", "none", "InlineTextBox", "StaticText", "RootWebArea", "ListMarker", "LineBreak"}
FOCUSED = "document.activeElement === document.body ? null : document.activeElement"


class Tree:
    """The accessibility tree of a page, read once.

    Attributes
    ----------
    nodes : list of dict
        The nodes that are exposed, in the order in which a screen reader reads them: "role", "name", "level",
        "focusable", and "element", the number of the element in the document.
    """

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)
        self.session.send("Accessibility.enable")
        self.session.send("DOM.enable")
        found = {each["nodeId"]: each for each in self.session.send("Accessibility.getFullAXTree")["nodes"]}
        root = next(each for each in found.values() if "parentId" not in each)
        self.nodes, waiting = [], [root["nodeId"]]
        while waiting:
            node = found.get(waiting.pop())
            if node is None:
                continue
            waiting += reversed(node.get("childIds", []))
            if not node["ignored"]:
                self.nodes.append(_plain(node))

    def headings(self):
        """Return pairs of level and name."""
        return [(each["level"], each["name"]) for each in self.nodes if each["role"] == "heading"]

    def landmarks(self):
        """Return pairs of role and name."""
        return [(each["role"], each["name"]) for each in self.nodes if each["role"] in LANDMARKS]

    def nameless(self):
        """Return the roles of the controls without a name."""
        return [each["role"] for each in self.nodes if each["role"] in CONTROLS and not each["name"]]

    def focusable(self):
        """Return the numbers of the elements that can have the focus, in the order of reading."""
        return [each["element"] for each in self.nodes if each["focusable"] and each["role"] != "RootWebArea"]

    def heard(self):
        """Return a line for each node that a screen reader announces: what it is, and what it is called."""
        return [
            f"{each['role']}{each['level'] or ''}: {each['name']}"
            for each in self.nodes
            if each["role"] not in SILENT and each["name"]
        ]


def _plain(node):
    properties = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
    return {
        "role": node["role"]["value"],
        "name": " ".join(str(node.get("name", {}).get("value", "")).split()),
        "level": properties.get("level"),
        "focusable": bool(properties.get("focusable")),
        "element": node.get("backendDOMNodeId"),
    }


def tab_stops(page, most=2000):
    """Return the numbers of the elements at which Tab stops, from the top of the page until it leaves it.

    Raises
    ------
    AssertionError
        Where the focus does not leave the page after so many stops, or stays at an element.
    """
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    stops = []
    for _ in range(most):
        page.keyboard.press("Tab")
        element = session.send("Runtime.evaluate", {"expression": FOCUSED})["result"]
        if "objectId" not in element:
            return stops
        number = session.send("DOM.describeNode", {"objectId": element["objectId"]})["node"]["backendNodeId"]
        assert not stops or number != stops[-1], "the focus stays where it is"
        if number in stops[:1]:
            return stops
        stops.append(number)
    raise AssertionError(f"the focus does not leave the page after {most} stops")


def skipped_levels(headings):
    """Return the headings that are more than one level below the one before them."""
    levels = [0, *(level for level, _ in headings)]
    return [name for (level, name), before in zip(headings, levels, strict=False) if level > before + 1]


def ambiguous(landmarks):
    """Return the landmarks that share role and name with another one: a list cannot tell them apart."""
    return sorted({each for each in landmarks if landmarks.count(each) > 1})


def out_of_order(stops, reading):
    """Return the stops that come before an element which is read earlier than they are."""
    place = {element: number for number, element in enumerate(reading)}
    known = [stop for stop in stops if stop in place]
    return [later for stop, later in pairwise(known) if place[later] < place[stop]]
