// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Finds the place at a tapped position.
final class GeocodeService: Sendable {
    /// The maximum distance from the tap in meters.
    private static let limit = 300.0

    private let center: MessageCenter
    private let gazetteer: Gazetteer

    init(center: MessageCenter, gazetteer: Gazetteer) {
        self.center = center
        self.gazetteer = gazetteer
        center.messages(.positionTapped).observe(owner: self) { service, tap in
            service.geocode(tap.position)
        }
    }

    private func geocode(_ position: Position) {
        let place = gazetteer.place(near: position, within: Self.limit)
        center.postGeocodeCompleted(position, place: place)
    }
}
