// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What is known of a run when it begins, for the reports that are made after its end.
struct RunFacts: Codable, Equatable, Sendable {
    var application: String
    var release: String
    var environment: String?
    var started: Date
    var process: Int32
    /// Changes with each start of the machine; nil where the system does not say.
    var bootID: String?
    /// The name of the run, a UUID in lower case.
    var session: String
    /// The path of the program's file; nil where the system does not say.
    var executable: String?
    var machine: ReportedMachine
}

extension RunFacts {
    /// The facts of the run that begins in this process; what the program says is redacted.
    static func current(
        application: String,
        release: String,
        environment: String? = nil,
        started: Date = Date(),
        session: String = UUID().uuidString.lowercased(),
        scribe: Scribe = Scribe(redactor: Redactor())
    ) -> RunFacts {
        RunFacts(
            application: scribe.label(application),
            release: scribe.label(release),
            environment: environment.map { scribe.label($0) },
            started: Date(recorded: started.timeIntervalSinceReferenceDate.bitPattern),
            process: getpid(),
            bootID: line(of: "/proc/sys/kernel/random/boot_id"),
            session: session,
            executable: try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"
            ),
            machine: .current
        )
    }

    /// The first line of a file of the system.
    fileprivate static func line(of path: String) -> String? {
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text?.split(separator: "\n").first.map(String.init)
    }
}

extension ReportedMachine {
    /// The machine that this process runs on.
    static var current: ReportedMachine {
        var names = utsname()
        uname(&names)
        return ReportedMachine(
            system: systemName ?? text(names.sysname),
            kernel: text(names.release),
            architecture: text(names.machine),
            locale: Locale.current.identifier
        )
    }

    /// The name that a Linux distribution gives itself.
    private static var systemName: String? {
        let text = try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        return line?.dropFirst("PRETTY_NAME=".count).trimmingCharacters(in: ["\"", "'"])
    }

    /// The text in a field of fixed size, up to the first zero.
    private static func text(_ field: some Any) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
