// SPDX-License-Identifier: Apache-2.0
public import Tidings

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
        callOnMainActor { gate.open() }
        try await gate.wait()
    }
}
