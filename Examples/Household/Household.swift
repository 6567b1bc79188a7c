// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsBridge
import TidingsNATS

/// One of three processes of a restaurant: `Household desk|kitchen|screen ADDRESS FOLDER`.
///
/// `run.sh` starts the three processes with a server, kills each process and the server, and prints
/// the lines that each process has written.
@main
struct Household {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4, let role = Role(rawValue: words[1]) else {
            FileHandle.standardError.write(
                Data("usage: Household desk|kitchen|screen ADDRESS FOLDER\n".utf8)
            )
            exit(64)
        }
        let center = MessageCenter()
        let ledger = try Ledger("\(words[3])/\(role).ledger")
        let bridge = Bridge(
            center: center,
            space: "household",
            transport: .nats(words[2]),
            storage: "\(words[3])/\(role)"
        ) {
            for crossing in role.crossings { crossing }
        }
        let tokens = role.observe(center, ledger)
        try await bridge.start()
        Task.detached {
            // The loop is not on the main actor, which waits for lines. The script rings a bell
            // only when a process can receive the bell.
            for await state in bridge.status.states.values where state.value?.isConnected == true {
                try ledger.add("connected \(ProcessInfo.processInfo.processIdentifier)")
                break
            }
        }
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "order" where words.count == 4:
                let order = OrderPlaced(
                    table: words[1],
                    number: Int(words[2]) ?? 0,
                    dish: words[3]
                )
                do {
                    // Unlike `post`, `publish` throws an error to this caller if the disk is full.
                    try await bridge.publish(order)
                } catch {
                    print("order \(words[2]) is not taken: \(error.message)")
                    continue
                }
                // The call has returned, so the order also survives a kill of this process.
                try ledger.add("table \(words[1]) took order \(words[2])")
            case "ring" where words.count == 2:
                center.post(BellRung(table: words[1]))
            case "leave" where words.count == 2:
                center.post(TableLeft(table: words[1]))
            default:
                let left = try await bridge.close(within: .seconds(60))
                try ledger.add("closed with \(left) messages left")
                return
            }
        }
        withExtendedLifetime(tokens) {}
    }
}

/// The role of a process.
private enum Role: String {
    case desk, kitchen, screen

    var crossings: [Crossing] {
        switch self {
        case .desk:
            [
                Crossing(OrderPlaced.self, .durable, .outgoing),
                Crossing(BellRung.self, .transient, .outgoing),
                Crossing(TableLeft.self, .shared(group: "waiters"), .outgoing),
            ]
        case .kitchen:
            [
                Crossing(OrderPlaced.self, .durable, .incoming(from: .beginning)),
                Crossing(DishReady.self, .durable, .outgoing),
                Crossing(BellRung.self, .transient, .incoming),
                Crossing(TableLeft.self, .shared(group: "waiters"), .incoming(from: .beginning)),
            ]
        case .screen:
            [
                Crossing(DishReady.self, .durable, .incoming(from: .beginning)),
                Crossing(BellRung.self, .transient, .incoming),
                Crossing(TableLeft.self, .shared(group: "waiters"), .incoming(from: .beginning)),
            ]
        }
    }

    func observe(_ center: MessageCenter, _ ledger: Ledger) -> [ObservationToken] {
        let bells = center.observe(BellRung.self) { bell in
            if self != .desk { try ledger.add("table \(bell.table) rang") }
        }
        let orders = center.observe(OrderPlaced.self) { order in
            guard self == .kitchen else { return }
            try ledger.add("table \(order.table) cooked order \(order.number): \(order.dish)")
            center.post(DishReady(table: order.table, number: order.number))
        }
        let dishes = center.observe(DishReady.self) { dish in
            if self == .screen { try ledger.add("table \(dish.table) gets order \(dish.number)") }
        }
        let tables = center.observe(TableLeft.self) { message in
            if self != .desk { try ledger.add("cleared table \(message.table)") }
        }
        return [bells, orders, dishes, tables]
    }
}
