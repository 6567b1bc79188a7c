// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import Foundation

/// A timer of the user's service manager, which starts the closed program.
///
/// The timer calls the program's name on the message bus.
///
/// The timer lasts until the user's session ends, and has no file.
struct ProgramTimer: Hashable, Sendable {
    /// The name of the service manager on the bus.
    static let manager = "org.freedesktop.systemd1"

    /// The program's identifier, which is also the program's name on the bus.
    let program: String
    /// The identity of the store whose request is due.
    let store: String
    /// The time at which the timer fires, in whole seconds since 1970, and not before the request
    /// is due.
    let second: Int

    init(_ program: NotifyArguments.Program, at date: Date) {
        self.program = program.id
        store = program.store
        second = Int(min(max(date.timeIntervalSince1970, 0), 1e11).rounded(.up))
    }

    /// The name of the timer's units without the suffix, different for each program, store and
    /// time.
    private var name: String {
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in "\(program)/\(store)".utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        return "tidings-\(String(hash, radix: 36))-\(second)"
    }

    /// The call that creates the timer, and fails if the same timer exists already.
    func start(busctl: String) -> BusCall {
        let time = Date(timeIntervalSince1970: TimeInterval(second))
            .formatted(
                .iso8601.year().month().day().dateTimeSeparator(.space).time(
                    includingFractionalSeconds: false
                )
            )
        let text = "Notifications of \(program)"
        let timer = Self.properties([
            ("Description", .string(text)),
            (
                "TimersCalendar",
                .array(of: "(ss)", [.structure([.string("OnCalendar"), .string(time + " UTC")])])
            ),
            ("AccuracyUSec", .uint64(1_000_000)), ("RemainAfterElapse", .bool(false)),
        ])
        let command = [
            "busctl", "--user", "call", program, ApplicationCall.path(of: program),
            ApplicationCall.interface, "ActivateAction", "sava{sv}", ApplicationCall.timerAction,
            "0", "0",
        ]
        let service = Self.properties([
            ("Description", .string(text)), ("CollectMode", .string("inactive-or-failed")),
            ("Type", .string("oneshot")),
            (
                "ExecStart",
                .array(
                    of: "(sasb)",
                    [.structure([.string(busctl), .strings(command), .bool(false)])]
                )
            ),
        ])
        let units = BusValue.array(
            of: "(sa(sv))",
            [.structure([.string(name + ".service"), service])]
        )
        return call(
            "StartTransientUnit",
            [.string(name + ".timer"), .string("fail"), timer, units]
        )
    }

    /// The call that removes the timer.
    var stop: BusCall { call("StopUnit", [.string(name + ".timer"), .string("fail")]) }

    private func call(_ member: String, _ body: [BusValue]) -> BusCall {
        BusCall(
            destination: Self.manager,
            path: "/org/freedesktop/systemd1",
            interface: "org.freedesktop.systemd1.Manager",
            member: member,
            body: body
        )
    }

    private static func properties(_ values: [(String, BusValue)]) -> BusValue {
        .array(of: "(sv)", values.map { .structure([.string($0.0), .variant($0.1)]) })
    }
}

extension DesktopSession {
    func setProgramStart(_ date: Date?) {
        programStart = date.map { ProgramTimer(state.program, at: $0) }
        updateTimer()
    }

    /// Records whether the service manager is on the bus.
    ///
    /// The program also needs a name on the bus.
    func noteTimers(isPresent: Bool) {
        state.startsProgram = isPresent && settings.onActivate != nil
    }

    /// Replaces the system's timer by the wanted timer.
    func updateTimer() {
        guard state.startsProgram, handshake == nil, let connection, programStart != systemTimer
        else { return }
        if let systemTimer { connection.call(systemTimer.stop, limit: settings.limit) { _ in } }
        systemTimer = programStart
        guard let programStart else { return }
        let busctl = DesktopProgram.path(of: "busctl", in: settings.environment("PATH"))
        let start = programStart.start(busctl: busctl ?? "/usr/bin/busctl")
        // Another process of the store may have made the same timer.
        connection.call(start, limit: settings.limit) { _ in }
    }
}
#endif
