// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsCoreFixtures

/// Starts `body` on the main actor and returns after the first wait or the end of `body`.
///
/// The main actor takes tasks in the order in which they come.
@MainActor
func begin<Value: Sendable>(
    _ body: @escaping @MainActor @Sendable () async throws -> Value
) async -> Task<Value, any Error> {
    let task = Task { @MainActor in try await body() }
    await Task { @MainActor in }.value
    return task
}

extension MessageCenter {
    /// Starts a post that waits for room.
    ///
    /// The method returns when the post waits or is done.
    func beginPost(_ number: Int) async -> Task<DeliveryReport, any Error> {
        await begin { await self.postAndWait(Ping(number: number)) }
    }
}
