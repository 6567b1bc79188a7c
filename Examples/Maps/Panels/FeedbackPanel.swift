// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Describes the content of the map in words.
///
/// The panel observes only map modes. The result of a search reaches the panel through two objects
/// without a reference to the panel.
@MainActor
final class FeedbackPanel {
    private let pane = Pane("feedback")

    init(center: MessageCenter) {
        center.observeMapMode(owner: self) { panel, _, new in panel.show(new) }
        show(.closed)
    }

    private func show(_ mode: MapMode) {
        pane.show(text(for: mode))
    }

    private func text(for mode: MapMode) -> String {
        switch mode {
        case .closed: "Open a map to begin."
        case .browsing: "Search for a place, or tap the map."
        case .place(let place): "Here: \(place.name)."
        case .route(let route): "\(ends(of: route.trip)): \(route.length) m."
        case .nothingFound(.name(let name)): "No place is called “\(name)”."
        case .nothingFound(.position(let position)): "There is no place near \(position)."
        case .nothingFound(.road(let trip)): "\(ends(of: trip)): no road leads there."
        }
    }

    private func ends(of trip: Trip) -> String {
        "\(trip.start.name) to \(trip.destination.name)"
    }
}
