// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsUserNotifications

@testable import TidingsDesktop

/// Random programs, users and daemons, with messages in transit in both directions.
@Suite(.timeLimit(.minutes(15))) struct DaemonModelTests {
    @Test(arguments: 0..<20)
    func theStateIsConsistentAfterAnyOrderOfEvents(_ seed: UInt64) {
        for round in 0..<100 {
            var simulation = Simulation(number: seed * 1000 + UInt64(round))
            for _ in 0..<120 { simulation.step() }
            simulation.drain()
            #expect(simulation.faults == [], "\(simulation.generator), round \(round)")
            if !simulation.faults.isEmpty { return }
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }
}

private struct Simulation {
    private enum Outgoing {
        case notify(DaemonState.Notify, identifier: String)
        case close(owner: String, id: UInt32)
    }

    private enum Incoming {
        case opened
        case described(String)
        case owner(String?)
        case answer(Int, Result<UInt32, BusError>)
        case signal(DaemonSignal, from: String)
    }

    private(set) var generator: SeededGenerator
    private var state = DaemonState()
    private var outgoing: [Outgoing] = []
    private var incoming: [Incoming] = []
    private var owner: String? = ":1.0"
    private var runs = 0
    private var lastID: UInt32 = 0
    /// The visible identifiers, by notification ID.
    private var visible: [UInt32: String] = [:]
    private var deliveries = 0
    private var settled: [Int: Int] = [:]
    private var responses: [NotificationDelivery: Int] = [:]
    private var accepted: Set<Int> = []
    private var ended: Set<Int> = []
    /// The number of the delivery that should be visible, by identifier.
    private var expected: [String: Int] = [:]
    /// The owner at the time of a timeout, by ticket.
    private var late: [Int: String] = [:]
    private var violations: [String] = []

    init(number: UInt64) {
        generator = SeededGenerator(number)
    }

    /// Performs one random action of the program, the user, the daemon or the bus.
    mutating func step() {
        switch Int.random(in: 0..<11, using: &generator) {
        case 0...2: show()
        case 3: close()
        case 4...5: daemonReads()
        case 6...7: stateReads()
        case 8: personActs()
        case 9: limitPasses()
        default: if generator.chance(15) { ownerChanges(to: generator.chance(50)) }
        }
    }

    /// Delivers all messages.
    mutating func drain() {
        while !outgoing.isEmpty || !incoming.isEmpty {
            daemonReads()
            stateReads()
        }
    }

    /// The violated invariants, after all messages are delivered.
    var faults: [String] {
        var faults = violations
        let twice = Dictionary(grouping: visible.values) { $0 }.filter { $0.value.count > 1 }
        if !twice.isEmpty { faults.append("visible twice: \(twice.keys.sorted())") }
        if state.identifiersByID != visible {
            faults.append("\(state.identifiersByID) is not \(visible)")
        }
        if !state.identifiersByCall.isEmpty {
            faults.append("pending: \(state.identifiersByCall)")
        }
        for ticket in 1..<(deliveries + 1) where settled[ticket] != 1 {
            faults.append("ticket \(ticket) settled \(settled[ticket] ?? 0) times")
        }
        for (delivery, count) in responses where count > 1 {
            faults.append("\(delivery) responded \(count) times")
        }
        for (identifier, entry) in state.entries {
            guard let number = entry.visible?.delivery.number else { continue }
            if expected[identifier] == nil {
                faults.append("\(identifier) was closed and is visible")
            }
            if responses[entry.visible?.delivery ?? .init(identifier: "", number: 0)] != nil {
                faults.append("\(number) has a response and is visible")
            }
        }
        for (identifier, number) in expected
        where accepted.contains(number) && !ended.contains(number) {
            if state.entries[identifier]?.visible?.delivery.number != number {
                faults.append("\(number) was accepted and is not visible")
            }
        }
        return faults
    }

    private mutating func close() {
        let identifier = identifier()
        expected[identifier] = nil
        perform(state.close(identifier))
    }

    /// Times out a random pending result.
    private mutating func limitPasses() {
        let waiting = (1..<(deliveries + 1)).filter { settled[$0] == nil }
        guard let ticket = waiting.randomElement(using: &generator) else { return }
        late[ticket] = state.daemon?.owner ?? "none"
        perform(state.expired(ticket))
    }

    private mutating func identifier() -> String {
        "id-\(Int.random(in: 0..<3, using: &generator))"
    }

    private mutating func show() {
        deliveries += 1
        let notification = UserNotification.sample(identifier(), deliveries)
        expected[notification.identifier] = deliveries
        perform(state.show(.init(notification: notification, ticket: deliveries)))
    }

    private mutating func perform(_ actions: [DaemonState.Action]) {
        for action in actions {
            switch action {
            case .open: incoming.append(.opened)
            case .start: ownerChanges(to: true)
            case .play: violations.append("played a sound without a player")
            case .describe(let owner): incoming.append(.described(owner))
            case .notify(let notify):
                let identifier = state.identifiersByCall[notify.number] ?? ""
                let ticket = state.entries[identifier]?.pendingCall?.posting.ticket ?? 0
                if let owner = late[ticket], owner != notify.owner {
                    violations.append("\(ticket) was late for \(owner), sent to \(notify.owner)")
                }
                outgoing.append(.notify(notify, identifier: identifier))
            case .close(let owner, let id): outgoing.append(.close(owner: owner, id: id))
            case .settle(let ticket, let result):
                settled[ticket, default: 0] += 1
                if result.isAccepted { accepted.insert(ticket) }
            case .deliver(.responded(let delivery, _, _)):
                responses[delivery, default: 0] += 1
                ended.insert(delivery.number)
            case .deliver(.closed(let delivery, let reason)):
                ended.insert(delivery.number)
                // Only the program closes notifications here, which must not be reported.
                if reason == .closedByProgram { violations.append("own close of \(delivery)") }
            case .deliver: break
            }
        }
    }

    private mutating func stateReads() {
        guard !incoming.isEmpty else { return }
        switch incoming.removeFirst() {
        case .opened: perform(state.opened(server: "bus", owner: owner, isActivatable: true))
        case .described(let owner): perform(state.described(owner: owner, .plain))
        case .owner(let owner): perform(state.ownerChanged(to: owner))
        case .answer(let number, let result): perform(state.notifyReturned(number, result))
        case .signal(let signal, let sender): perform(state.received(signal, from: sender))
        }
    }

    private mutating func daemonReads() {
        guard !outgoing.isEmpty else { return }
        switch outgoing.removeFirst() {
        case .notify(let notify, _) where notify.owner != owner && generator.chance(30):
            // The earlier owner keeps running without the name, and shows the notification.
            incoming.append(.answer(notify.number, .success(UInt32(notify.number))))
        case .notify(let notify, _) where notify.owner != owner:
            let gone = BusError.refused(
                name: "org.freedesktop.DBus.Error.ServiceUnknown",
                message: ""
            )
            incoming.append(.answer(notify.number, .failure(gone)))
        case .notify(let notify, _) where generator.chance(10):
            incoming.append(.answer(notify.number, .failure(.refused(name: "x.No", message: "no"))))
        case .notify(let notify, let identifier):
            var id = notify.replaced
            // Some daemons keep an unknown ID, and some assign a new one.
            if id == 0 || (visible[id] == nil && generator.chance(50)) {
                lastID += 1
                id = lastID
            }
            visible[id] = identifier
            incoming.append(.answer(notify.number, .success(id)))
        case .close(let owner, let id):
            guard owner == self.owner, visible.removeValue(forKey: id) != nil else { return }
            incoming.append(.signal(.closed(id, .closedByProgram), from: owner))
        }
    }

    private mutating func personActs() {
        guard let owner, let id = visible.keys.sorted().randomElement(using: &generator)
        else { return }
        let isTapped = generator.chance(60)
        if isTapped { incoming.append(.signal(.invoked(id, key: "default"), from: owner)) }
        // Some daemons keep showing a notification after a click.
        if !isTapped || generator.chance(50) {
            visible[id] = nil
            incoming.append(.signal(.closed(id, .dismissed), from: owner))
        }
    }

    /// Ends the daemon and all notifications of the daemon.
    ///
    /// A new daemon starts again with ID 1.
    private mutating func ownerChanges(to isThere: Bool) {
        visible = [:]
        lastID = 0
        runs += 1
        owner = isThere ? ":1.\(runs)" : nil
        incoming.append(.owner(owner))
    }
}
