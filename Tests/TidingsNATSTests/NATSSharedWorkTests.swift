// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import Tidings
import TidingsBridge
import TidingsLock
import TidingsNATS
import TidingsTesting

/// Processes that share work over a real server.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSSharedWorkTests {
    @Test func b4_theWorkInHandOfKilledProcessesIsDoneByAnother() async throws {
        let server = try await NATSServer()
        let folder = server.folder.path
        let desk = WorkPlace(server.address, folder + "/desk", .outgoing)
        try await desk.bridge.start()
        for number in 1...60 { desk.center.post(Job(number: number)) }
        // An exit test blocks a thread of the tasks, so the child depends on the server alone.
        #expect(try await desk.bridge.close(within: .seconds(120)) == 0)
        for round in 1...3 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    address = server.address as String, folder = folder as String,
                    round = round as Int
                ] in
                let place = WorkPlace(address, "\(folder)/worker\(round)", .incoming)
                let done = open("\(folder)/done", O_WRONLY | O_CREAT | O_APPEND, 0o600)
                let begun = Counter()
                let token = place.center.messages(of: Job.self).observe { job in
                    // The message of the kill is in hand, neither written nor acknowledged.
                    if begun.next() == round * 4 { kill(getpid(), SIGKILL) }
                    let line = Array("\(job.number)\n".utf8)
                    write(done, line, line.count)
                }
                try await place.bridge.start()
                for await _ in place.bridge.status.states.values {}
                withExtendedLifetime(token) {}
            }
        }
        let text = try String(contentsOfFile: folder + "/done", encoding: .utf8)
        let done = text.split(separator: "\n").compactMap { Int($0) }
        let last = WorkPlace(server.address, folder + "/last", .incoming)
        let recorder = MessageRecorder(Job.self, on: last.center)
        try await last.bridge.start()
        // An acknowledgement may be lost with the process, which repeats one message.
        _ = try await recorder.element(at: 60 - done.count - 1)
        while Set(done + recorder.messages.map(\.number)).count < 60 {
            _ = try await recorder.element(at: recorder.messages.count)
        }
        let all = done + recorder.messages.map(\.number)
        #expect(done.count == 3 + 7 + 11 && all.count <= 63)
        _ = try await last.bridge.close(within: .seconds(60))
    }

    @Test func b4_sharedWorkSurvivesAKillOfTheServer() async throws {
        let server = try await NATSServer("", jetStream: "max_file_store: 1G")
        let folder = server.folder.path
        let desk = WorkPlace(server.address, folder + "/desk", .outgoing)
        let workers = (1...2).map { WorkPlace(server.address, "\(folder)/\($0)", .incoming) }
        let counter = WaitableCounter()
        let numbers = workers.map { MessageRecorder(Job.self, on: $0.center) }
        let tokens = workers.map { place in
            place.center.messages(of: Job.self).observe { _ in counter.add(1) }
        }
        for place in workers + [desk] { try await place.bridge.start() }
        for number in 1...200 {
            desk.center.post(Job(number: number))
            if number == 100 {
                try await counter.wait(for: 20)
                await server.kill()
                try await server.start()
            }
        }
        try await counter.wait(for: 200)
        while Set(numbers.flatMap { $0.messages.map(\.number) }).count < 200 {
            try await counter.wait(for: numbers.reduce(1) { $0 + $1.messages.count })
        }
        for place in workers + [desk] { try await place.bridge.close(within: .seconds(60)) }
        withExtendedLifetime(tokens) {}
    }
}

struct Job: BridgedMessage {
    static let wireName: WireName = "jobs.wanted"
    let number: Int
}

/// Counts calls.
private final class Counter: Sendable {
    private let count = Lock(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A center with a bridge that carries shared work.
private final class WorkPlace: Sendable {
    let center = MessageCenter()
    let bridge: Bridge

    init(_ address: String, _ folder: String, _ direction: Crossing.Direction) {
        var options = BridgeOptions()
        options.workLimit = .seconds(2)
        bridge = Bridge(
            center: center,
            space: "shop",
            transport: NATSTransport(address, .patient),
            storage: folder,
            options: options
        ) { Crossing(Job.self, .shared(group: "workers"), direction) }
    }
}
#endif
