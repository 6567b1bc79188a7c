// SPDX-License-Identifier: Apache-2.0

/// A gate at which tasks wait until a test opens the gate.
///
/// Opening is permanent, and later waits return immediately. A cancelled wait throws
/// `CancellationError`.
///
/// ```swift
/// let gate = Gate()
/// let task = Task { try await gate.wait() }
/// gate.open()
/// try await task.value
/// ```
public final class Gate: Sendable {
    /// The counter, which is 0 while the gate is closed.
    private let openings = WaitableCounter()

    /// Creates a closed gate.
    public init() {}

    /// Opens the gate for all current and later waits.
    ///
    /// Opening the gate again has no effect.
    public func open() {
        openings.add(1)
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func wait() async throws {
        try await openings.wait(for: 1)
    }
}
