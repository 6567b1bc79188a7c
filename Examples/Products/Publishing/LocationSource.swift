// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Where the customer is: a source that is written by hand, because a device calls back.
///
/// A `Resource` is made for what one asynchronous function loads. For everything else a publisher is
/// driven by its four verbs: `startLoading`, `updateData`, `setError`, `reset`.
@MainActor
final class LocationSource: StateSource {
    let publisher = StatePublisher<Place>()
    private let device: PositionDevice
    /// An answer to an earlier question is not applied; a `Resource` sees to that by itself.
    private var question = 0

    init(device: PositionDevice) {
        self.device = device
    }

    func getData() {
        guard publisher.phase != .loading else { return }
        question += 1
        publisher.startLoading()
        device.locate { [weak self, question] answer in self?.take(answer, to: question) }
    }

    func refreshIfNeeded() {
        // Without a duration a place never grows old: this asks again only after an error.
        if publisher.isStale { getData() }
    }

    func logout() {
        question += 1
        publisher.reset()
    }

    private func take(_ answer: Result<Place, any Error>, to question: Int) {
        guard question == self.question else { return }
        switch answer {
        case .success(let place): publisher.updateData(place)
        case .failure(let error): publisher.setError(error)
        }
    }
}
