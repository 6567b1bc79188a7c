// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TidingsLock

/// The places for simultaneous uploads.
///
/// Further uploads wait in the order of arrival.
final class UploadPlaces: Sendable {
    /// The number of places.
    static let count = 4

    private struct State {
        var free = UploadPlaces.count
        var lastWaiter = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var cancelled: Set<Int> = []
    }

    /// Names uploads one after the other, so that equal uploads become one item.
    let naming = DispatchQueue(label: "offline.upload")
    private let state = Lock(State())

    /// Takes a place, which `release` gives back.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the upload has a place.
    func take() async throws(CancellationError) {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state -> Bool? in
                    if state.cancelled.remove(number) != nil { return false }
                    guard state.free == 0 else {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.waiting.remove(at: index).continuation
            }
            waiter?.resume(returning: false)
        }
        state.withLock { _ = $0.cancelled.remove(number) }
        guard isTaken else { throw CancellationError() }
    }

    /// Frees a place, or gives the place to the first waiting upload.
    func release() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.free += 1
            return nil
        }
        next?.resume(returning: true)
    }
}
