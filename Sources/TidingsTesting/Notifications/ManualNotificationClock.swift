// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Tidings
public import TidingsUserNotifications

/// A clock on the wall and a measure of time that stand still until a test moves them.
///
/// Time that passes moves both. A person who sets the clock moves the one; a system that starts
/// anew begins the other again.
///
/// ```swift
/// let clock = ManualNotificationClock()
/// let notifications = UserNotificationCenter(…, clock: clock)
/// try await notifications.add(.init(identifier: "1", content: tea, trigger: .after(.seconds(300))))
/// clock.advance(by: .seconds(300))
/// ```
public final class ManualNotificationClock: NotificationClock {
    private struct Sleeper {
        /// Whether it waits for a date or only for a limit.
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

        /// Takes out who wakes now, the first to have slept first.
        mutating func wake() -> [Sleeper] {
            let due = sleepers.filter { $0.value.isDue(self) }
            for id in due.keys { sleepers[id] = nil }
            return due.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private let state: Lock<State>
    private let sleeping = Level()
    private let waiting = Level()

    /// Creates a clock that stands still.
    ///
    /// - Parameters:
    ///   - date: What it shows; noon of the first day of 2026 at Greenwich, unless stated.
    ///   - zone: Where the person is; Greenwich, unless stated.
    public init(
        date: Date = Date(timeIntervalSince1970: 1_767_268_800),
        zone: TimeZone = .gmt
    ) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        state = Lock(State(date: date, calendar: calendar))
    }

    /// What the clock on the wall shows now.
    public var date: Date { state.withLock(\.date) }
    /// The person's calendar, with the zone where they are now.
    public var calendar: Calendar { state.withLock(\.calendar) }
    /// The time that has passed since the last start.
    public var uptime: Duration { state.withLock(\.uptime) }
    /// Which start of the system this is.
    public var epoch: String { "epoch \(state.withLock(\.epochs))" }

    /// Lets time pass, also as one in which the system sleeps, and wakes whose time has come.
    ///
    /// - Precondition: `duration` is not negative.
    public func advance(by duration: Duration) {
        require(duration >= .zero, "Time goes forwards: advance by zero or more.")
        change { state in
            state.uptime += duration
            state.date += duration / .seconds(1)
        }
    }

    /// Sets the clock on the wall, forwards or backwards; no time passes.
    public func setDate(_ date: Date) {
        change { $0.date = date }
    }

    /// Moves the person to another zone, which wakes nobody.
    public func setZone(_ zone: TimeZone) {
        change { $0.calendar.timeZone = zone }
    }

    /// Begins a new epoch, as a start of the system does.
    public func beginEpoch() {
        change { state in
            state.epochs += 1
            state.uptime = .zero
        }
    }

    /// Waits until at least `count` tasks sleep for a limit of time.
    ///
    /// What a center waits for to send what is due is not among them.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForSleepers(_ count: Int = 1) async throws {
        try await sleeping.wait(for: count)
    }

    /// Waits until at least `count` tasks sleep until a date, as a center does that has sent
    /// everything that is due.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForSchedules(_ count: Int = 1) async throws {
        try await waiting.wait(for: count)
    }

    /// Sleeps until a test has let this much time pass.
    public func sleep(for duration: Duration) async throws {
        try await sleep(isSchedule: false, nil, duration)
    }

    /// Sleeps until a test has moved one of the two far enough.
    public func sleep(until date: Date?, atMost limit: Duration) async throws {
        try await sleep(isSchedule: true, date, limit)
    }

    private func change(_ body: (inout State) -> Void) {
        let woken = state.withLock { state in
            body(&state)
            return state.wake()
        }
        for sleeper in woken {
            level(of: sleeper).add(-1)
            sleeper.continuation.resume()
        }
    }

    private func level(of sleeper: Sleeper) -> Level { sleeper.isSchedule ? waiting : sleeping }

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
                    level(of: sleeper).add(1)
                }
            }
        } onCancel: {
            guard let sleeper = state.withLock({ $0.sleepers.removeValue(forKey: id) }) else {
                return
            }
            level(of: sleeper).add(-1)
            sleeper.continuation.resume(throwing: CancellationError())
        }
    }
}
