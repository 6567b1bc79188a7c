// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFoundation
import TidingsLock

/// Values recorded by a test in order, from any thread.
final class Log<Value: Sendable>: Sendable {
    private let values = Lock<[Value]>([])

    func callAsFunction(_ value: Value) {
        values.withLock { $0.append(value) }
    }

    var all: [Value] { values.withLock { $0 } }
}

/// The message used by most tests.
struct Step: NotificationMessage, Equatable {
    static let notificationName = Notification.Name("Step")

    let number: Int

    init(_ number: Int) {
        self.number = number
    }

    init?(_ notification: Notification) {
        guard let number = notification.userInfo?["number"] as? Int else { return nil }
        self.number = number
    }

    var notification: Notification {
        Notification(name: Self.notificationName, userInfo: ["number": number])
    }
}

/// A message without a notification form.
struct Nudge: Message {}

final class Owner: Sendable {
    let token = Lock<ObservationToken?>(nil)
}

/// An object that runs a closure when the object is released.
final class Canary: Sendable {
    private let atEnd: @Sendable () -> Void

    init(_ atEnd: @escaping @Sendable () -> Void = {}) {
        self.atEnd = atEnd
    }

    deinit { atEnd() }

    /// Does nothing.
    ///
    /// A closure that calls this method captures the canary.
    func touch() {}
}

extension NotificationCenter {
    func post(_ number: Int) {
        post(Step(number).notification)
    }

    /// Calls `body` with the number of each step until the returned observer is removed.
    func observeSteps(_ body: @escaping @Sendable (Int) -> Void) -> any NSObjectProtocol {
        addObserver(forName: Step.notificationName, object: nil, queue: nil) { notification in
            if let step = Step(notification) { body(step.number) }
        }
    }
}

/// Stores the first notification unchanged.
///
/// The class is unchecked, because the tests use one thread.
final class KeptNotification: @unchecked Sendable {
    private var notification: Notification?

    func keep(_ notification: Notification) {
        if self.notification == nil { self.notification = notification }
    }

    func postAgain(on center: NotificationCenter) {
        if let notification { center.post(notification) }
    }
}
