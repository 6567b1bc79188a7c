// SPDX-License-Identifier: Apache-2.0
internal import TidingsDiagnostics

extension SentryEvent {
    /// The errors, with the first cause first and a crash last.
    var exceptions: JSONValue? {
        let crash = report.crash.map { self.crash($0) }
        let errors = report.errors.prefix(limits.errors).enumerated().reversed()
            .map { index, error in
                exception(error, isCause: index > 0, hasStack: index == 0 && crash == nil)
            }
        return .nonEmptyList(errors + (crash.map { [$0] } ?? []))
    }

    /// The crashed thread, whose calls are in the exception, and all remaining threads.
    var threads: JSONValue? {
        report.crash.map { crash in
            let crashed: JSONValue = [
                "id": .integer(max(0, Int(crash.thread))),
                "name": name(of: crash.threadName),
                "crashed": true,
                "current": true,
            ]
            let others = report.threads.prefix(limits.threads).map { thread -> JSONValue in
                [
                    "id": .integer(max(0, Int(thread.number))),
                    "name": name(of: thread.name),
                    "crashed": false,
                    "current": false,
                    "stacktrace": stack(of: thread),
                ]
            }
            return ["values": .list([crashed] + others)]
        }
    }

    private func name(of thread: String?) -> JSONValue? {
        .nonEmptyText(SentryText.line(thread ?? "", limit: limits.short))
    }

    private func exception(_ error: ReportedError, isCause: Bool, hasStack: Bool) -> JSONValue {
        let data: JSONValue = [
            "code": error.code.flatMap { .nonEmptyText(SentryText.line($0, limit: limits.short)) },
            "location": error.location
                .flatMap { .nonEmptyText(SentryText.end($0, limit: limits.location)) },
        ]
        return [
            "type": .text(type(of: error)),
            "value": .nonEmptyText(SentryText.lines(error.message, limit: limits.message)),
            "mechanism": [
                "type": isCause ? "chained" : "generic",
                "handled": .flag(report.level != .fatal),
                "data": data,
            ],
            "stacktrace": hasStack ? stack(registers: nil) : nil,
        ]
    }

    /// Returns the domain with the code, so that two codes of one error type are two issues.
    private func type(of error: ReportedError) -> String {
        let domain = SentryText.line(error.domain, limit: limits.errorType - limits.short)
        let name = domain.isEmpty ? "Error" : domain
        let code = SentryText.line(error.code ?? "", limit: limits.short - 3)
        guard let first = code.unicodeScalars.first else { return name }
        return first.properties.isAlphabetic ? "\(name).\(code)" : "\(name) (\(code))"
    }

    private func crash(_ crash: ReportedCrash) -> JSONValue {
        let signal = SentryText.line(crash.signal, limit: limits.short)
        let (type, value) = title(for: crash, signal: signal)
        return [
            "type": .text(type),
            "value": .text(value),
            "thread_id": .integer(max(0, Int(crash.thread))),
            "mechanism": [
                "type": "signalhandler",
                "handled": false,
                // The flag makes servers name the issue by the function instead of the signal.
                "synthetic": .flag(crash.reason?.isEmpty ?? true),
                "data": [
                    "address": crash.address.map(JSONValue.address),
                    "sender": crash.sender.map { .integer(Int($0)) },
                    "truncated": crash.isTruncated ? true : nil,
                    "recovered": crash.isRecovered ? true : nil,
                ],
                "meta": [
                    "signal": [
                        "number": .integer(Int(crash.number)),
                        "code": .integer(Int(crash.code)),
                        "name": .nonEmptyText(signal),
                    ]
                ],
            ],
            "stacktrace": stack(registers: crash.registers),
        ]
    }

    /// Returns the runtime's message, split into kind and reason, or a description of the signal.
    private func title(for crash: ReportedCrash, signal: String) -> (type: String, value: String) {
        let name = signal.isEmpty ? "Signal \(crash.number)" : signal
        let reason = SentryText.lines(crash.reason ?? "", limit: limits.message)
        guard !reason.isEmpty else {
            return (name, Self.signalDescriptions[signal] ?? "The program crashed")
        }
        for kind in Self.runtimeErrors where reason.hasPrefix(kind + ": ") {
            let rest = reason.dropFirst(kind.count + 2)
            if !rest.isEmpty { return (kind, String(rest)) }
        }
        return (name, reason)
    }

    private static let runtimeErrors = [
        "Fatal error", "Precondition failed", "Assertion failed", "Swift runtime failure",
    ]

    private static let signalDescriptions = [
        "SIGABRT": "The program aborted",
        "SIGBUS": "Bad memory access",
        "SIGFPE": "Arithmetic fault",
        "SIGILL": "Illegal instruction, such as a Swift trap",
        "SIGSEGV": "Bad pointer dereference",
        "SIGSYS": "Bad system call",
        "SIGTRAP": "Trap",
    ]
}
