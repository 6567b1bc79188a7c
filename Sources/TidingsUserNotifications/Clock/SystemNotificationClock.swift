// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import Foundation
import Tidings
import TidingsLock

/// The system's clock, calendar and time zone.
package struct SystemNotificationClock: NotificationClock {
    /// Creates a clock.
    package init() {}

    /// The current date on the wall clock.
    package var date: Date { Date() }

    /// The user's calendar, with the current time zone.
    package var calendar: Calendar {
        // Foundation caches the time zone of the first use, but the user may have traveled.
        NSTimeZone.resetSystemTimeZone()
        var calendar = Calendar.current
        calendar.timeZone = TimeZone.current
        return calendar
    }

    /// The elapsed time since the system start, including sleep.
    package var uptime: Duration {
        var time = timespec()
        #if os(Linux)
        clock_gettime(CLOCK_BOOTTIME, &time)
        #else
        clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The boot ID of the system, or an ID of this process on systems without one.
    package var epoch: String { Self.epoch }

    private static let epoch: String = {
        let path = "/proc/sys/kernel/random/boot_id"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? UUID().uuidString
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }()

    /// Sleeps for a duration of elapsed time, including the system's sleep.
    package func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }

    /// Sleeps until the wall clock reaches a date, or until a duration has elapsed.
    package func sleep(until date: Date?, atMost limit: Duration) async throws {
        guard let date else { return try await sleep(for: limit) }
        let wall = WallTimer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.sleep(for: limit) }
            group.addTask { try await wall.wait(until: date) }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }
}

/// A timer that also fires when the wall clock is set.
private final class WallTimer: Sendable {
    private struct State {
        var isCancelled = false
        var waiter: CheckedContinuation<Void, any Error>?
    }

    private let state = Lock(State())

    func wait(until date: Date) async throws {
        let timer = DispatchSource.makeTimerSource()
        // The system counts nanoseconds in 64 bits, which end in the year 2262.
        let seconds = min(max(date.timeIntervalSince1970, 0), 9e9)
        let whole = seconds.rounded(.down)
        let time = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
        timer.schedule(wallDeadline: DispatchWallTime(timespec: time))
        timer.setEventHandler { [weak self] in self?.end(.success(())) }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let isCancelled = state.withLock { state in
                    if !state.isCancelled { state.waiter = waiter }
                    return state.isCancelled
                }
                if isCancelled { waiter.resume(throwing: CancellationError()) }
                timer.resume()
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    private func end(_ result: Result<Void, any Error>) {
        let waiter = state.withLock { state in
            if case .failure = result { state.isCancelled = true }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: result)
    }
}
