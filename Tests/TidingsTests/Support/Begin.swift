// SPDX-License-Identifier: Apache-2.0

/// Starts `body` on the main actor and returns once it has come to its first wait or its end.
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
