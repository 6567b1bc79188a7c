// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Asks a person once whether the program may notify, and remembers the answer.
final class AuthorizationDesk: Sendable {
    typealias Question =
        @Sendable (AuthorizationOptions) async -> AuthorizationAnswer?
    private typealias Verdict = Result<AuthorizationAnswer, UserNotificationError>
    private typealias Waiter = CheckedContinuation<Verdict, Never>

    private struct Desk {
        var state = State<Waiter>()
        var lastID = 0
        var question: Task<Void, Never>?
        /// Writes follow one another, so that the store ends with the newest answer.
        var lastSave: Task<Void, any Error>?
    }

    private let desk = Lock(Desk())
    private let store: any NotificationStore
    private let messages: MessageCenter
    private let presence: Presence
    private let question: Question

    init(
        store: any NotificationStore,
        messages: MessageCenter,
        presence: Presence,
        question: @escaping Question
    ) {
        self.store = store
        self.presence = presence
        self.messages = messages
        self.question = question
    }

    func status() async throws(UserNotificationError) -> AuthorizationStatus {
        presence.status(try await knownAnswer())
    }

    /// Returns when notifications are allowed; asks if nobody has answered yet.
    func request(_ options: AuthorizationOptions) async throws(UserNotificationError) {
        let answer: AuthorizationAnswer
        if let known = try await knownAnswer() {
            answer = known
        } else {
            answer = try await answerOfPerson(options)
        }
        guard answer == .granted else { throw .denied }
    }

    /// Stores an answer that the person gave elsewhere; an open question ends with it.
    func set(_ answer: AuthorizationAnswer) async throws(UserNotificationError) {
        let (waiters, question, save) = desk.withLock { desk in
            let waiters = desk.state.set(answer)
            defer { desk.question = nil }
            return (waiters, desk.question, self.save(answer, &desk))
        }
        question?.cancel()
        let verdict = await settle(answer, save)
        for waiter in waiters { waiter.resume(returning: verdict) }
        _ = try verdict.get()
    }

    private func knownAnswer() async throws(UserNotificationError) -> AuthorizationAnswer? {
        let (isLoaded, answer) = desk.withLock { ($0.state.isLoaded, $0.state.answer) }
        if isLoaded { return answer }
        let stored: AuthorizationAnswer?
        do {
            stored = try await store.read().authorization
        } catch {
            throw UserNotificationError(
                .storeFailed,
                "The answer that was given earlier cannot be read, so nothing is shown. "
                    + "Repair the store, then try again.",
                cause: error
            )
        }
        return desk.withLock { desk in
            desk.state.load(stored)
            return desk.state.answer
        }
    }

    private func answerOfPerson(
        _ options: AuthorizationOptions
    ) async throws(UserNotificationError) -> AuthorizationAnswer {
        let id = desk.withLock { desk in
            desk.lastID += 1
            return desk.lastID
        }
        let verdict = await withTaskCancellationHandler {
            await withCheckedContinuation { join(id, $0, options) }
        } onCancel: {
            leave(id)
        }
        return try verdict.get()
    }

    private func join(_ id: Int, _ waiter: Waiter, _ options: AuthorizationOptions) {
        if Task.isCancelled {
            waiter.resume(returning: .failure(.cancelled))
            return
        }
        switch desk.withLock({ $0.state.join(id, waiter) }) {
        case .answered(let answer, let waiter): waiter.resume(returning: .success(answer))
        case .wait: break
        case .ask(let round): ask(round, options)
        }
        // The task may have been cancelled between the first look and joining.
        if Task.isCancelled { leave(id) }
    }

    private func leave(_ id: Int) {
        let (waiter, question) = desk.withLock { desk -> (Waiter?, Task<Void, Never>?) in
            let (waiter, closesQuestion) = desk.state.leave(id)
            guard closesQuestion else { return (waiter, nil) }
            defer { desk.question = nil }
            return (waiter, desk.question)
        }
        question?.cancel()
        waiter?.resume(returning: .failure(.cancelled))
    }

    private func ask(_ round: Int, _ options: AuthorizationOptions) {
        let task = Task {
            let answer = await question(options)
            await finish(round, answer)
        }
        let isOpen = desk.withLock { desk in
            let isOpen = desk.state.isOpen(round)
            if isOpen { desk.question = task }
            return isOpen
        }
        if !isOpen { task.cancel() }
    }

    private func finish(_ round: Int, _ answer: AuthorizationAnswer?) async {
        let ended = desk.withLock { desk -> ([Waiter], Task<Void, any Error>?)? in
            guard let waiters = desk.state.finish(round: round, answer) else { return nil }
            desk.question = nil
            return (waiters, answer.map { self.save($0, &desk) })
        }
        guard let (waiters, save) = ended else { return }
        let verdict: Verdict
        if let answer, let save {
            verdict = await settle(answer, save)
        } else {
            verdict = .failure(.unanswered)
        }
        for waiter in waiters { waiter.resume(returning: verdict) }
    }

    private func save(
        _ answer: AuthorizationAnswer,
        _ desk: inout Desk
    ) -> Task<Void, any Error> {
        let previous = desk.lastSave
        let store = store
        let save = Task {
            _ = await previous?.result
            try await store.update { $0.authorization = answer }
        }
        desk.lastSave = save
        return save
    }

    /// Waits for the store and tells everybody.
    private func settle(
        _ answer: AuthorizationAnswer,
        _ save: Task<Void, any Error>
    ) async -> Verdict {
        let saved = await save.result
        messages.post(AuthorizationChanged(status: presence.status(answer)))
        switch saved {
        case .success: return .success(answer)
        case .failure(let error):
            return .failure(
                UserNotificationError(
                    .storeFailed,
                    "The answer holds until the program ends but could not be stored. "
                        + "It will be asked for again.",
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

    fileprivate static var unanswered: UserNotificationError {
        UserNotificationError(
            .unanswered,
            "The question was closed without an answer; it may be asked again."
        )
    }

    static var denied: UserNotificationError {
        UserNotificationError(
            .denied,
            "Notifications are not wanted. The person can change this in the program's settings."
        )
    }
}
