// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A window on the main actor that shows only the customer's location.
///
/// The window needs one publisher of a known type. Therefore the window observes with an
/// owner-bound closure, which receives the state.
@MainActor
final class MapWindow {
    private(set) var lines: [String] = []

    init(_ location: StatePublisher<Place>) {
        location.observe(owner: self, on: .main) { window, state in window.show(state) }
    }

    private func show(_ state: LoadState<Place>) {
        switch state {
        case .unknown, .error: lines = ["map       the whole town"]
        case .loading(let previous): lines = ["map       \(previous?.street ?? "the whole town")"]
        case .loaded(let place): lines = ["map       a pin in \(place.street)"]
        }
    }
}
