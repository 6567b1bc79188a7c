// SPDX-License-Identifier: Apache-2.0

/// Finds out where it is and calls back, when the script says so.
@MainActor
final class PositionDevice {
    private var callbacks: [(Result<Place, any Error>) -> Void] = []

    func locate(_ callback: @escaping (Result<Place, any Error>) -> Void) {
        callbacks.append(callback)
    }

    /// Tells the one who asked first.
    func answer(_ answer: Result<Place, any Error>) {
        if !callbacks.isEmpty { callbacks.removeFirst()(answer) }
    }
}
