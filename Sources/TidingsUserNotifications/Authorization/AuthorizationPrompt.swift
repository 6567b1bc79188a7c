// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// Asks the user once whether the program may notify, and stores the answer.
///
/// All calls may come from any thread. Concurrent requests share one question.
final class AuthorizationPrompt: Sendable {
    typealias Question =
        @Sendable (UserNotificationAuthorizationOptions) async -> AuthorizationAnswer?
    private typealias AnswerResult = Result<AuthorizationAnswer?, UserNotificationError>
    private typealias Waiter = CheckedContinuation<AnswerResult, Never>

    private struct LockedState {
        var state = State<Waiter>()
        var lastID = 0
        var question: Task<Void, Never>?
        /// The last write.
        ///
        /// Each write waits for the previous one, so that the newest answer wins.
        var lastSave: Task<Void, any Error>?
        /// The number of writes so far.
        var saves = 0
        /// The number of the last write that succeeded.
        ///
        /// The answer of a failed write holds until the program ends.
        var lastStored = 0
    }

    private let lock = Lock(LockedState())
    private let store: any NotificationStore
    private let messages: MessageCenter
    private let backendAvailability: BackendAvailability
    private let question: Question

    init(
        store: any NotificationStore,
        messages: MessageCenter,
        backendAvailability: BackendAvailability,
        question: @escaping Question
    ) {
        self.store = store
        self.backendAvailability = backendAvailability
        self.messages = messages
        self.question = question
    }

    func status() async throws(UserNotificationError) -> UserNotificationAuthorizationStatus {
        backendAvailability.status(try await knownAnswer())
    }

    /// Returns the answer, after asking the user if there is none yet.
    ///
    /// - Returns: The answer, or nil if the question was closed without one.
    func request(
        _ options: UserNotificationAuthorizationOptions
    ) async throws(UserNotificationError) -> AuthorizationAnswer? {
        if let known = try await knownAnswer() { return known }
        return try await answerOfPerson(options)
    }

    /// Stores an answer that the user gave elsewhere, and ends an open question with this answer.
    func set(_ answer: AuthorizationAnswer) async throws(UserNotificationError) {
        let (waiters, question, save) = lock.withLock { locked in
            let waiters = locked.state.set(answer)
            defer { locked.question = nil }
            return (waiters, locked.question, self.save(answer, &locked))
        }
        question?.cancel()
        let result = await finishSave(answer, save)
        for waiter in waiters { waiter.resume(returning: result) }
        _ = try result.get()
    }

    /// Returns the number of writes so far, or nil if the newest write has not succeeded.
    func mark() -> Int? {
        lock.withLock { $0.saves == $0.lastStored ? $0.saves : nil }
    }

    /// Takes over an answer that another process has stored.
    ///
    /// - Parameters:
    ///   - stored: The answer in the store.
    ///   - mark: The value of ``mark()`` before the store was read. An answer given after that is
    ///     newer.
    func adopt(_ stored: AuthorizationAnswer?, asOf mark: Int?) {
        let (waiters, question) = lock.withLock { locked -> ([Waiter]?, Task<Void, Never>?) in
            guard let mark, locked.saves == mark, let waiters = locked.state.adopt(stored) else {
                return (nil, nil)
            }
            defer { locked.question = nil }
            return (waiters, locked.question)
        }
        guard let waiters, let stored else { return }
        question?.cancel()
        messages.post(
            UserNotificationAuthorizationChanged(status: backendAvailability.status(stored))
        )
        for waiter in waiters { waiter.resume(returning: .success(stored)) }
    }

    private func knownAnswer() async throws(UserNotificationError) -> AuthorizationAnswer? {
        let (isLoaded, answer) = lock.withLock { ($0.state.isLoaded, $0.state.answer) }
        if isLoaded { return answer }
        let stored: AuthorizationAnswer?
        do {
            stored = try await store.read().authorization
        } catch {
            throw UserNotificationError(
                .storeFailed,
                "The person's stored answer cannot be read, so nothing is shown. "
                    + "Repair the store, then try again.",
                cause: error
            )
        }
        return lock.withLock { locked in
            locked.state.load(stored)
            return locked.state.answer
        }
    }

    private func answerOfPerson(
        _ options: UserNotificationAuthorizationOptions
    ) async throws(UserNotificationError) -> AuthorizationAnswer? {
        let id = lock.withLock { locked in
            locked.lastID += 1
            return locked.lastID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { join(id, $0, options: options) }
        } onCancel: {
            leave(id)
        }
        return try result.get()
    }

    private func join(_ id: Int, _ waiter: Waiter, options: UserNotificationAuthorizationOptions) {
        if Task.isCancelled {
            waiter.resume(returning: .failure(.cancelled))
            return
        }
        switch lock.withLock({ $0.state.join(id, waiter) }) {
        case .answered(let answer, let waiter): waiter.resume(returning: .success(answer))
        case .wait: break
        case .ask(let questionID): ask(questionID, options)
        }
        // The task may have been cancelled between the first check and the call of `join`.
        if Task.isCancelled { leave(id) }
    }

    private func leave(_ id: Int) {
        let (waiter, question) = lock.withLock { locked -> (Waiter?, Task<Void, Never>?) in
            let (waiter, closesQuestion) = locked.state.leave(id)
            guard closesQuestion else { return (waiter, nil) }
            defer { locked.question = nil }
            return (waiter, locked.question)
        }
        question?.cancel()
        waiter?.resume(returning: .failure(.cancelled))
    }

    private func ask(_ questionID: Int, _ options: UserNotificationAuthorizationOptions) {
        let task = Task {
            let answer = await question(options)
            await finish(questionID, answer)
        }
        let isOpen = lock.withLock { locked in
            let isOpen = locked.state.isOpen(questionID)
            if isOpen { locked.question = task }
            return isOpen
        }
        if !isOpen { task.cancel() }
    }

    private func finish(_ questionID: Int, _ answer: AuthorizationAnswer?) async {
        let ended = lock.withLock { locked -> ([Waiter], Task<Void, any Error>?)? in
            guard let waiters = locked.state.finish(questionID: questionID, answer) else {
                return nil
            }
            locked.question = nil
            return (waiters, answer.map { self.save($0, &locked) })
        }
        guard let (waiters, save) = ended else { return }
        let result: AnswerResult
        if let answer, let save {
            result = await finishSave(answer, save)
        } else {
            result = .success(nil)
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    private func save(
        _ answer: AuthorizationAnswer,
        _ locked: inout LockedState
    ) -> Task<Void, any Error> {
        let previous = locked.lastSave
        locked.saves += 1
        let number = locked.saves
        let save = Task { [self] in
            _ = await previous?.result
            try await store.update { $0.authorization = answer }
            lock.withLock { $0.lastStored = number }
        }
        locked.lastSave = save
        return save
    }

    /// Waits for the write, posts the new status and returns the result for the waiters.
    private func finishSave(
        _ answer: AuthorizationAnswer,
        _ save: Task<Void, any Error>
    ) async -> AnswerResult {
        let saved = await save.result
        messages.post(
            UserNotificationAuthorizationChanged(status: backendAvailability.status(answer))
        )
        switch saved {
        case .success: return .success(answer)
        case .failure(let error):
            return .failure(
                UserNotificationError(
                    .storeFailed,
                    "The answer could not be stored and holds until the program ends. "
                        + "The next run asks again.",
                    cause: error
                )
            )
        }
    }
}

extension UserNotificationError {
    fileprivate static var cancelled: UserNotificationError {
        UserNotificationError(.cancelled, "The task that waited for the answer was cancelled.")
    }

    static var denied: UserNotificationError {
        UserNotificationError(
            .denied,
            "The person has denied notifications. They can allow them in the program's settings."
        )
    }
}
