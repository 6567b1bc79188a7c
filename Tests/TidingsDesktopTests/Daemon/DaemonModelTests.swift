// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

/// Random programs, persons and daemons, with messages that are on their way in both directions.
@Suite(.timeLimit(.minutes(5))) struct DaemonModelTests {
    @Test(arguments: 0..<20)
    func whateverHappensInWhateverOrderTheBooksAreRight(_ seed: UInt64) {
        for round in 0..<100 {
            var world = World(seed: seed * 1000 + UInt64(round))
            for _ in 0..<120 { world.step() }
            world.drain()
            #expect(world.faults == [], "seed \(seed), round \(round)")
            if !world.faults.isEmpty { return }
        }
    }
}

private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

private struct World {
    private enum ToDaemon {
        case notify(DaemonState.Notify, identifier: String)
        case close(owner: String, id: UInt32)
    }

    private enum ToUs {
        case opened
        case described(String)
        case owner(String?)
        case answer(Int, Result<UInt32, BusError>)
        case signal(DaemonSignal, from: String)
    }

    private var dice: Dice
    private var state = DaemonState()
    private var toDaemon: [ToDaemon] = []
    private var toUs: [ToUs] = []
    private var owner: String? = ":1.0"
    private var runs = 0
    private var lastID: UInt32 = 0
    /// What can be seen, by number.
    private var visible: [UInt32: String] = [:]
    private var deliveries = 0
    private var settled: [Int: Int] = [:]
    private var responses: [NotificationDelivery: Int] = [:]
    private var accepted: Set<Int> = []
    private var ended: Set<Int> = []
    /// The delivery that the program wants to be seen, by identifier.
    private var wanted: [String: Int] = [:]
    /// Who was there when it was told that a notification was not shown in time.
    private var late: [Int: String] = [:]
    private var misdeeds: [String] = []

    init(seed: UInt64) {
        dice = Dice(state: seed)
    }

    /// One thing that a program, a person, a daemon or the bus does.
    mutating func step() {
        switch Int.random(in: 0..<11, using: &dice) {
        case 0...2: show()
        case 3: close()
        case 4...5: daemonReads()
        case 6...7: weRead()
        case 8: personActs()
        case 9: limitPasses()
        default: if dice.chance(15) { ownerChanges(to: dice.chance(50)) }
        }
    }

    /// Lets everything arrive.
    mutating func drain() {
        while !toDaemon.isEmpty || !toUs.isEmpty {
            daemonReads()
            weRead()
        }
    }

    /// What must not be, once everything has arrived.
    var faults: [String] {
        var faults = misdeeds
        let twice = Dictionary(grouping: visible.values) { $0 }.filter { $0.value.count > 1 }
        if !twice.isEmpty { faults.append("seen twice: \(twice.keys.sorted())") }
        if state.shown != visible { faults.append("\(state.shown) is not \(visible)") }
        if !state.flights.isEmpty { faults.append("unanswered: \(state.flights)") }
        for ticket in 1..<(deliveries + 1) where settled[ticket] != 1 {
            faults.append("ticket \(ticket) settled \(settled[ticket] ?? 0) times")
        }
        for (delivery, count) in responses where count > 1 {
            faults.append("\(delivery) responded \(count) times")
        }
        for (identifier, line) in state.lines {
            guard let number = line.shown?.delivery.number else { continue }
            if wanted[identifier] == nil { faults.append("\(identifier) was closed and is seen") }
            if responses[line.shown?.delivery ?? .init(identifier: "", number: 0)] != nil {
                faults.append("\(number) was answered and is seen")
            }
        }
        for (identifier, number) in wanted
        where accepted.contains(number) && !ended.contains(number) {
            if state.lines[identifier]?.shown?.delivery.number != number {
                faults.append("\(number) was accepted and is not seen")
            }
        }
        return faults
    }

    private mutating func close() {
        let identifier = identifier()
        wanted[identifier] = nil
        perform(state.close(identifier))
    }

    /// Somebody has waited long enough for one of the results.
    private mutating func limitPasses() {
        let waiting = (1..<(deliveries + 1)).filter { settled[$0] == nil }
        guard let ticket = waiting.randomElement(using: &dice) else { return }
        late[ticket] = state.daemon?.owner ?? "nobody"
        perform(state.expired(ticket))
    }

    private mutating func identifier() -> String { "id-\(Int.random(in: 0..<3, using: &dice))" }

    private mutating func show() {
        deliveries += 1
        let notification = UserNotification.sample(identifier(), deliveries)
        wanted[notification.identifier] = deliveries
        perform(state.show(.init(notification: notification, ticket: deliveries)))
    }

    private mutating func perform(_ actions: [DaemonState.Action]) {
        for action in actions {
            switch action {
            case .open: toUs.append(.opened)
            case .start: ownerChanges(to: true)
            case .describe(let owner): toUs.append(.described(owner))
            case .notify(let notify):
                let identifier = state.flights[notify.number] ?? ""
                let ticket = state.lines[identifier]?.flight?.posting.ticket ?? 0
                if let owner = late[ticket], owner != notify.owner {
                    misdeeds.append("\(ticket) was late for \(owner), sent to \(notify.owner)")
                }
                toDaemon.append(.notify(notify, identifier: identifier))
            case .close(let owner, let id): toDaemon.append(.close(owner: owner, id: id))
            case .settle(let ticket, let result):
                settled[ticket, default: 0] += 1
                if result.isAccepted { accepted.insert(ticket) }
            case .tell(.responded(let delivery, _, _)):
                responses[delivery, default: 0] += 1
                ended.insert(delivery.number)
            case .tell(.closed(let delivery, let reason)):
                ended.insert(delivery.number)
                // Nobody but us closes anything here, and then it is no news.
                if reason == .closedByProgram { misdeeds.append("\(delivery) was closed by us") }
            case .tell: break
            }
        }
    }

    private mutating func weRead() {
        guard !toUs.isEmpty else { return }
        switch toUs.removeFirst() {
        case .opened: perform(state.opened(server: "bus", owner: owner, isActivatable: true))
        case .described(let owner): perform(state.described(owner: owner, .plain))
        case .owner(let owner): perform(state.ownerChanged(to: owner))
        case .answer(let number, let result): perform(state.notified(number, result))
        case .signal(let signal, let sender): perform(state.heard(signal, from: sender))
        }
    }

    private mutating func daemonReads() {
        guard !toDaemon.isEmpty else { return }
        switch toDaemon.removeFirst() {
        case .notify(let notify, _) where notify.owner != owner && dice.chance(30):
            // It lives on without the name, and shows it.
            toUs.append(.answer(notify.number, .success(UInt32(notify.number))))
        case .notify(let notify, _) where notify.owner != owner:
            let gone = BusError.refused(
                name: "org.freedesktop.DBus.Error.ServiceUnknown",
                message: ""
            )
            toUs.append(.answer(notify.number, .failure(gone)))
        case .notify(let notify, _) where dice.chance(10):
            toUs.append(.answer(notify.number, .failure(.refused(name: "x.No", message: "no"))))
        case .notify(let notify, let identifier):
            var id = notify.replaced
            // Some daemons keep a number that they do not know, and some give a new one.
            if id == 0 || (visible[id] == nil && dice.chance(50)) {
                lastID += 1
                id = lastID
            }
            visible[id] = identifier
            toUs.append(.answer(notify.number, .success(id)))
        case .close(let owner, let id):
            guard owner == self.owner, visible.removeValue(forKey: id) != nil else { return }
            toUs.append(.signal(.closed(id, .closedByProgram), from: owner))
        }
    }

    private mutating func personActs() {
        guard let owner, let id = visible.keys.sorted().randomElement(using: &dice) else { return }
        let isTapped = dice.chance(60)
        if isTapped { toUs.append(.signal(.invoked(id, key: "default"), from: owner)) }
        // Some daemons keep on the screen what was tapped.
        if !isTapped || dice.chance(50) {
            visible[id] = nil
            toUs.append(.signal(.closed(id, .dismissed), from: owner))
        }
    }

    /// A daemon goes, with all that it shows; another one may come, and counts from one again.
    private mutating func ownerChanges(to isThere: Bool) {
        visible = [:]
        lastID = 0
        runs += 1
        owner = isThere ? ":1.\(runs)" : nil
        toUs.append(.owner(owner))
    }
}
