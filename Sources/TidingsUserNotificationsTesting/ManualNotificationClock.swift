// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Tidings
import TidingsLock
import TidingsTesting
public import TidingsUserNotifications

/// A wall clock and an uptime that stand still until a test changes them.
///
/// Passing time advances both. Setting the clock changes the date only. A restart of the system
/// resets the uptime only.
///
/// ```swift
/// let clock = ManualNotificationClock()
/// let notifications = UserNotificationCenter(…, clock: clock)
/// let trigger = UserNotificationTrigger.after(.seconds(300))
/// try await notifications.add(.init(identifier: "1", content: tea, trigger: trigger))
/// clock.advance(by: .seconds(300))
/// ```
public final class ManualNotificationClock {
    private struct Sleeper {
        /// Whether the sleeper waits until a date, rather than for a duration.
        let isSchedule: Bool
        let date: Date?
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>

        func isDue(_ state: State) -> Bool {
            deadline <= state.uptime || date.map { $0 <= state.date } ?? false
        }
    }

    private struct State {
        var date: Date
        var calendar: Calendar
        var uptime = Duration.zero
        var epochs = 1
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]

        /// Removes and returns the sleepers that are due, in the order in which they started.
        mutating func removeDueSleepers() -> [Sleeper] {
            let due = sleepers.filter { $0.value.isDue(self) }
            for id in due.keys { sleepers[id] = nil }
            return due.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private let state: Lock<State>
    private let sleeping = WaitableCounter()
    private let waiting = WaitableCounter()

    /// Creates a clock that stands still.
    ///
    /// - Parameters:
    ///   - date: The date of the wall clock, by default noon of January 1, 2026 in GMT.
    ///   - zone: The user's time zone, by default GMT.
    public init(
        date: Date = Date(timeIntervalSince1970: 1_767_268_800),
        zone: TimeZone = .gmt
    ) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        state = Lock(State(date: date, calendar: calendar))
    }

    /// The current date of the wall clock.
    public var date: Date { state.withLock(\.date) }
    /// The user's calendar, with the current time zone.
    package var calendar: Calendar { state.withLock(\.calendar) }
    /// The time since the last start of the system.
    package var uptime: Duration { state.withLock(\.uptime) }
    /// An identifier of the current start of the system.
    package var epoch: String { "epoch \(state.withLock(\.epochs))" }

    /// Advances date and uptime, like time that includes system sleep, and wakes due sleepers.
    ///
    /// - Precondition: `duration` is not negative.
    public func advance(by duration: Duration) {
        require(duration >= .zero, "A clock cannot go back. Advance it by zero or more.")
        change { state in
            state.uptime += duration
            state.date += duration / .seconds(1)
        }
    }

    /// Sets the wall clock, forwards or backwards, without changing the uptime.
    public func setDate(_ date: Date) {
        change { $0.date = date }
    }

    /// Moves the user to another time zone, which wakes no sleeper.
    public func setZone(_ zone: TimeZone) {
        change { $0.calendar.timeZone = zone }
    }

    /// Starts a new epoch with an uptime of zero, like a start of the system.
    public func beginEpoch() {
        change { state in
            state.epochs += 1
            state.uptime = .zero
        }
    }

    /// Waits until at least `count` tasks sleep for a duration.
    ///
    /// A center's wait for the next scheduled notification does not count.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForSleepers(_ count: Int = 1) async throws {
        try await sleeping.wait(for: count)
    }

    /// Waits until at least `count` tasks sleep until a date, like a center that has sent all due
    /// notifications.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForSchedules(_ count: Int = 1) async throws {
        try await waiting.wait(for: count)
    }

    /// Sleeps until a test has advanced the clock by `duration`.
    package func sleep(for duration: Duration) async throws {
        try await sleep(isSchedule: false, nil, duration)
    }

    /// Sleeps until the wall clock has reached `date` or the uptime has advanced by `limit`.
    package func sleep(until date: Date?, atMost limit: Duration) async throws {
        try await sleep(isSchedule: true, date, limit)
    }

    private func change(_ body: (inout State) -> Void) {
        let woken = state.withLock { state in
            body(&state)
            return state.removeDueSleepers()
        }
        for sleeper in woken {
            counter(of: sleeper).add(-1)
            sleeper.continuation.resume()
        }
    }

    private func counter(of sleeper: Sleeper) -> WaitableCounter {
        sleeper.isSchedule ? waiting : sleeping
    }

    private func sleep(isSchedule: Bool, _ date: Date?, _ limit: Duration) async throws {
        let (id, deadline) = state.withLock { state in
            state.lastID += 1
            return (state.lastID, state.uptime + limit)
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let sleeper = Sleeper(
                    isSchedule: isSchedule,
                    date: date,
                    deadline: deadline,
                    continuation: continuation
                )
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if sleeper.isDue(state) { return .success(()) }
                    state.sleepers[id] = sleeper
                    return nil
                }
                if let outcome {
                    continuation.resume(with: outcome)
                } else {
                    counter(of: sleeper).add(1)
                }
            }
        } onCancel: {
            guard let sleeper = state.withLock({ $0.sleepers.removeValue(forKey: id) }) else {
                return
            }
            counter(of: sleeper).add(-1)
            sleeper.continuation.resume(throwing: CancellationError())
        }
    }
}

extension ManualNotificationClock: NotificationClock {}

extension UserNotificationCenter {
    /// Creates a center that uses a manual clock.
    ///
    /// - Parameters:
    ///   - application: The program that the notifications belong to.
    ///   - backend: The backend that shows the notifications.
    ///   - messages: The message center on which the center posts responses and changes.
    ///   - store: The store for everything that outlives the run.
    ///   - limit: The maximum number of delivered notifications.
    ///   - summaries: For each thread with a summary, a closure that returns the content of the
    ///     summary.
    ///   - clock: The clock for dates and timeouts.
    ///   - question: Asks the user whether the program may notify.
    public convenience init(
        application: Application,
        backend: UserNotificationBackend = .inMemory,
        messages: MessageCenter,
        store: UserNotificationStore = .inMemory,
        limit: Int = 500,
        summaries: [String: @Sendable ([UserNotification]) -> UserNotificationContent] = [:],
        clock: ManualNotificationClock,
        question: @escaping @Sendable (UserNotificationAuthorizationOptions) async -> Bool?
    ) {
        self.init(
            application: application,
            backend: backend,
            messages: messages,
            store: store,
            limit: limit,
            summaries: summaries,
            time: clock,
            question: question
        )
    }
}
