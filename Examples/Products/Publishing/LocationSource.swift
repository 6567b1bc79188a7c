// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsResources

/// The customer's location, a source written by hand because a device calls back.
///
/// A `Resource` loads with one asynchronous function. Every other source drives a publisher with
/// the methods `startLoading`, `updateData`, `setError` and `reset`.
@MainActor
final class LocationSource: StateSource {
    let publisher = StatePublisher<Place>()
    private let device: PositionDevice
    /// The number of the current request.
    ///
    /// Responses to earlier requests are ignored, as a `Resource` does automatically.
    private var request = 0

    init(device: PositionDevice) {
        self.device = device
    }

    func getData() {
        guard publisher.phase != .loading else { return }
        request += 1
        publisher.startLoading()
        device.locate { [weak self, request] response in self?.receive(response, to: request) }
    }

    func refreshIfNeeded() {
        // Without a duration, a location never becomes stale, so this line loads again only after
        // an error.
        if publisher.isStale { getData() }
    }

    func logout() {
        request += 1
        publisher.reset()
    }

    private func receive(_ response: Result<Place, any Error>, to request: Int) {
        guard request == self.request else { return }
        switch response {
        case .success(let place): publisher.updateData(place)
        case .failure(let error): publisher.setError(error)
        }
    }
}
