// SPDX-License-Identifier: Apache-2.0
public import Tidings

extension MessageCenter {
    /// Waits until the main-actor handlers of all earlier posts have been called.
    ///
    /// When `post` is called off the main actor, its main-actor handlers still wait in a queue when
    /// it returns. After this call they have run or will never run, and a test can assert that
    /// something did *not* happen. The call does not wait for posts that those handlers make.
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
