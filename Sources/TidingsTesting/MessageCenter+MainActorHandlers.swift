// SPDX-License-Identifier: Apache-2.0
public import Tidings

extension MessageCenter {
    /// Waits until the main-actor handlers of all finished `post` calls have been called.
    ///
    /// When `post` is called off the main actor, the main-actor handlers still wait in a queue when
    /// `post` returns. After this call, these handlers have run or will never run.
    ///
    /// The call does not wait for later posts by those handlers or by a task that a clock has just
    /// woken. To assert that an element is still pending, see <doc:TestingCodeThatPosts>.
    ///
    /// ```swift
    /// center.post(Progress(percent: 40))
    /// try await center.waitForMainActorHandlers()
    /// #expect(await title.text == "40 %")
    /// ```
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForMainActorHandlers() async throws {
        let gate = Gate()
        callOnMainActor { gate.open() }
        try await gate.wait()
    }
}
