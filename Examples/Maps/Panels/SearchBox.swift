// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The input field for searches, with suggestions of a service.
@MainActor
final class SearchBox {
    private let center: MessageCenter
    private let pane = Pane("search")
    private var text = ""
    private var suggestions: [Place] = []

    init(center: MessageCenter) {
        self.center = center
        center.observeSearch(
            owner: self,
            result: { box, name, _ in box.show(name, []) },
            suggestions: { box, places in box.show(box.text, places) }
        )
        center.observeContext(owner: self, logout: { box, _ in box.show("", []) })
        show("", [])
    }

    func type(_ text: String) {
        self.text = text
        center.post(TextTyped(text: text))
    }

    func acceptSuggestion() {
        if let first = suggestions.first { search(first.name) }
    }

    func search(_ name: String) {
        center.post(SearchRequested(name: name))
    }

    private func show(_ text: String, _ suggestions: [Place]) {
        self.text = text
        self.suggestions = suggestions
        pane.show(["[\(text)]"] + suggestions.map(\.name))
    }
}
