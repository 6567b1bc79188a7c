// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Suggests places for typed text and finds places by name.
///
/// The service belongs to no actor and posts results on the thread of the request.
final class SearchService: Sendable {
    private let center: MessageCenter
    private let gazetteer: Gazetteer

    init(center: MessageCenter, gazetteer: Gazetteer) {
        self.center = center
        self.gazetteer = gazetteer
        center.messages(.textTyped).observe(owner: self) { service, typed in
            service.suggest(for: typed.text)
        }
        center.messages(.searchRequested).observe(owner: self) { service, request in
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
