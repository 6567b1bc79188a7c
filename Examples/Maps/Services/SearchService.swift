// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Answers what is typed with suggestions, and a search with a place or none.
///
/// It belongs to no actor: it answers on the thread that asks.
final class SearchService: Sendable {
    private let center: MessageCenter
    private let gazetteer: Gazetteer

    init(center: MessageCenter, gazetteer: Gazetteer) {
        self.center = center
        self.gazetteer = gazetteer
        center.observe(.textTyped, owner: self) { service, typed in
            service.suggest(for: typed.text)
        }
        center.observe(.searchRequested, owner: self) { service, request in
            service.search(request.name)
        }
    }

    private func suggest(for text: String) {
        center.postSuggestionsAvailable(gazetteer.suggestions(for: text))
    }

    private func search(_ name: String) {
        center.postSearchCompleted(name, place: gazetteer.place(named: name))
    }
}
