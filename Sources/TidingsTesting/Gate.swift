// SPDX-License-Identifier: Apache-2.0

/// A point that tasks wait at until a test opens it.
///
/// Opening is permanent: whoever comes later passes at once. A cancelled wait throws
/// `CancellationError`.
///
/// ```swift
/// let gate = Gate()
/// let task = Task { try await gate.wait() }
/// gate.open()
/// try await task.value
/// ```
public final class Gate: Sendable {
    /// 0 while the gate is closed.
    private let level = Level()

    /// Creates a closed gate.
    public init() {}

    /// Opens the gate for everybody, now and later.
    public func open() {
        level.add(1)
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func wait() async throws {
        try await level.wait(for: 1)
    }
}
