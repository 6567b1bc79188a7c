// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A window that shows only where the customer is, on the main actor as windows do.
///
/// It needs one publisher, whose type it knows, so it observes with a closure: bound to its life, and
/// with the state in hand.
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
