// SPDX-License-Identifier: Apache-2.0
import Tidings

extension MessageCenter {
    /// Observes the results of geocoding a position, with nil for a place that was not found.
    func observeGeocode<Owner: AnyObject & Sendable>(
        owner: Owner,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        result handle: @escaping @MainActor @Sendable (Owner, Position, Place?) -> Void
    ) {
        messages(.geocodeCompleted).observe(owner: owner, on: .main, fileID: fileID, line: line) {
            handle($0, $1.position, $1.place)
        }
    }

    func postGeocodeCompleted(
        _ position: Position,
        place: Place?,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        post(GeocodeCompleted(position: position, place: place), fileID: fileID, line: line)
    }
}
