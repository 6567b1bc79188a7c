// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(15))) struct BusConnectionTests {
    @Test(arguments: BusConnectionTests.values)
    func everyTypeArrivesAsItWasSent(_ value: BusValue) async throws {
        try await Desktop.with { desktop in
            try await desktop.call("fake")
            let client = BusClient()
            try await client.connect(desktop.address)
            #expect(try await client.echo(value) == .variant(value))
        }
    }

    static let values: [BusValue] = [
        .structure([
            .byte(255), .bool(true), .int16(-7), .uint16(65535), .int32(-1), .uint32(.max),
            .int64(.min), .uint64(.max), .double(0.5), .string("ä 🦊 \n"), .objectPath("/a/b"),
            .signature("a{sv}"), .bytes([0, 1, 255]), .bytes([]),
        ]),
        .options(["a": .byte(1), "b": .options(["c": .strings(["x", ""])])]),
        .array(of: "(iv)", [.structure([.int32(1), .variant(.array(of: "ai", []))])]),
        .string(String(repeating: "a", count: 1 << 20)),
    ]

    @Test func anInvalidMessageIsAnErrorAndTheConnectionStays() async throws {
        try await Desktop.with { desktop in
            let client = BusClient()
            try await client.connect(desktop.address)
            var call = BusCall.bus("ListNames")
            call.path = "not a path"
            let wrong = call
            await #expect(throws: BusError.self) { try await client.call(wrong) }
            for text in ["a\u{0}b", String(Unicode.Scalar(0xFFFF) ?? " ")] {
                await #expect(throws: BusError.self) {
                    try await client.call(.bus("NameHasOwner", [.string(text)]))
                }
            }
            let names = try await client.call(.bus("ListNames")).body.first?.asStrings
            #expect((names ?? []).contains("org.freedesktop.DBus"))
            #expect(await client.serverID?.count == 32)
        }
    }

    @Test func aCallWithoutAReplyCostsOnlyTheLimit() async throws {
        try await Desktop.with { desktop in
            try await desktop.call("fake", ["settings": ["GetCapabilities": "silent"]])
            let client = BusClient()
            try await client.connect(desktop.address)
            await #expect(throws: BusError.timedOut) {
                try await client.call(.daemon("GetCapabilities"), limit: .milliseconds(50))
            }
            #expect(try await client.echo(.byte(1)) == .variant(.byte(1)))
        }
    }

    @Test func aCallDoesNotStartAService() async throws {
        try await Desktop.with(bus: ["service": "/bin/false"]) { desktop in
            let client = BusClient()
            try await client.connect(desktop.address)
            let refusal = await #expect(throws: BusError.self) {
                try await client.call(.daemon("GetCapabilities"))
            }
            guard case .refused(let name, _) = refusal else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(!name.contains("Spawn"))
        }
    }

    @Test func aLostBusIsReportedAndEveryCallReturns() async throws {
        try await Desktop.with { desktop in
            try await desktop.call("fake", ["settings": ["Echo": "silent"]])
            let client = BusClient()
            try await client.connect(desktop.address)
            _ = try await client.call(.bus("GetId"))
            let silent = Task { try await client.echo(.byte(1)) }
            try await desktop.call(
                "tell",
                ["command": ["do": "await", "method": "Echo", "count": 1]]
            )
            try await desktop.call("end", ["what": "bus"])
            try await client.isLost.wait()
            await #expect(throws: BusError.self) { try await silent.value }
            #expect(await client.losses.count == 1)
            await #expect(throws: BusError.self) { try await client.call(.bus("GetId")) }
        }
    }

    @Test(
        arguments: [
            "refusal", "noise", "noise after hello", "a message without end", "end in a message",
        ]
    )
    func aBusThatSendsNonsenseIsLost(_ kind: String) async throws {
        try await Desktop.with(bus: nil) { desktop in
            let address = try await desktop.call("nonsense", ["kind": .string(kind)])["address"]
            let client = BusClient()
            try await client.connect(address.text)
            let call = Task { try await client.call(.bus("GetId")) }
            try await within(.seconds(60)) { try await client.isLost.wait() }
            await #expect(throws: BusError.self) { try await call.value }
            #expect(await client.losses.count == 1)
        }
    }

    @Test func closingCompletesPendingCalls() async throws {
        try await Desktop.with { desktop in
            try await desktop.call("fake", ["settings": ["Echo": "silent"]])
            let client = BusClient()
            try await client.connect(desktop.address)
            let silent = Task { try await client.echo(.byte(1)) }
            try await desktop.call(
                "tell",
                ["command": ["do": "await", "method": "Echo", "count": 1]]
            )
            await client.close()
            await #expect(throws: BusError.self) { try await silent.value }
            #expect(await client.losses.isEmpty)
            await client.close()
            await client.release()
        }
    }

    @Test(arguments: ["unix:path=/nonexistent/bus", "unix", "", "tcp:host=127.0.0.1,port=1"])
    func anAddressWithoutABusIsAnError(_ address: String) async throws {
        let client = BusClient()
        do {
            try await client.connect(address)
            await #expect(throws: BusError.self) { try await client.call(.bus("GetId")) }
        } catch let error as BusError {
            #expect(!error.text.isEmpty)
        }
    }

    @Test func signalsAndRepliesArriveInOrder() async throws {
        try await Desktop.with { desktop in
            let client = BusClient()
            try await client.connect(desktop.address)
            try await client.match("type='signal',interface='org.example.Test'")
            for number in 0..<500 {
                try await client.emit(
                    BusSignal(
                        path: "/a",
                        interface: "org.example.Test",
                        member: "Tick",
                        body: [.int32(Int32(number))]
                    )
                )
            }
            // The bus replies after it has forwarded all earlier messages.
            _ = try await client.call(.bus("GetId"))
            let numbers = await client.signals.map(\.body)
            #expect(numbers == (0..<500).map { [.int32(Int32($0))] })
        }
    }

    @Test func aClosedConnectionLeavesTheBus() async throws {
        try await Desktop.with { desktop in
            for _ in 0..<200 {
                let client = BusClient()
                try await client.connect(desktop.address)
                _ = try await client.call(.bus("GetId"))
                await client.close()
            }
            let names = BusClient()
            try await names.connect(desktop.address)
            let list = try await names.call(.bus("ListNames")).body.first?.asStrings ?? []
            #expect(list.count { $0.hasPrefix(":") } < 100)
        }
    }
}
