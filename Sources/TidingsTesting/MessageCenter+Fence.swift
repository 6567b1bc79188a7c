// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// A message that marks a place in a center's queue for the main actor.
private struct Fence: Message {
    static var tracing: MessageTracing { .hidden }
}

extension MessageCenter {
    /// Waits until the main-actor handlers of everything posted so far have been called.
    ///
    /// A main-actor handler of a post made elsewhere waits in a queue when `post` returns. After
    /// this call it has run, or will never run, and a test may say that something did *not*
    /// happen. What those handlers post themselves is not waited for.
    ///
    /// ```swift
    /// center.post(LoggedOut())
    /// try await center.waitForMainActorHandlers()
    /// try recorder.expectNothing()
    /// ```
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForMainActorHandlers() async throws {
        let gate = Gate()
        let token = observe(Fence.self, on: .main) { _ in gate.open() }
        defer { token.cancel() }
        if post(Fence()) > 0 { try await gate.wait() }
    }
}
