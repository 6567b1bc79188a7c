// SPDX-License-Identifier: Apache-2.0

/// A simulated location device, whose callbacks the script triggers.
@MainActor
final class PositionDevice {
    private var callbacks: [(Result<Place, any Error>) -> Void] = []

    func locate(_ callback: @escaping (Result<Place, any Error>) -> Void) {
        callbacks.append(callback)
    }

    /// Calls the oldest callback.
    func respond(_ response: Result<Place, any Error>) {
        if !callbacks.isEmpty { callbacks.removeFirst()(response) }
    }
}
