// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Foundation

/// A typed message of Foundation, of the kind that is delivered synchronously.
struct FoundationTick: NotificationCenter.MainActorMessage {
    typealias Subject = FoundationSubject
    let number: Int
}

final class FoundationSubject: Sendable {}

/// A Foundation center with one typed observer.
@MainActor final class FoundationTyped {
    private let center = NotificationCenter()
    private let target = FoundationSubject()
    private let token: NotificationCenter.ObservationToken

    init() {
        token = center.addObserver(of: target, for: FoundationTick.self) {
            work($0.number)
        }
    }

    private func post(_ count: Int) {
        for number in 0..<count { center.post(FoundationTick(number: number), subject: target) }
    }

    var subject: Subject {
        Subject("Foundation typed, 1 handler") { count in
            MainActor.assumeIsolated { self.post(count) }
        }
    }
}

/// A Foundation center with one observer by name and the number in `userInfo`.
final class FoundationByName {
    private let center = NotificationCenter()
    private let name = Notification.Name("Tick")
    private let token: any NSObjectProtocol

    init() {
        token = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            if let number = notification.userInfo?["number"] as? Int { work(number) }
        }
    }

    var subject: Subject {
        Subject("Foundation by name, 1 handler") { [self] in
            for number in 0..<$0 {
                center.post(name: name, object: nil, userInfo: ["number": number])
            }
        }
    }
}
