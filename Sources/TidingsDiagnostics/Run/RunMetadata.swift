// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The metadata of a run, stored at the start for reports that are assembled after the end.
struct RunMetadata: Codable, Equatable, Sendable {
    var application: String
    var release: String
    var environment: String?
    var dist: String?
    var serverName: String?
    /// The paths of files whose ends are attached to crash reports, or nil in the file of an
    /// earlier version.
    var attachments: [String]?
    var started: Date
    var process: Int32
    /// The identifier of the current boot, or nil if the system does not provide it.
    var bootID: String?
    /// The identifier of the run, a lowercase UUID.
    var session: String
    /// The path of the executable, or nil if the system does not provide it.
    var executable: String?
    var machine: [String: String]
    /// The counters of the system at the start, or nil in the file of an earlier version.
    var memory: MemoryCounters?
}

extension RunMetadata {
    /// Returns the metadata of the run that starts in this process, with redacted strings of the
    /// program.
    static func current(
        application: String,
        release: String,
        environment: String? = nil,
        dist: String? = nil,
        serverName: String? = nil,
        attachments: [String] = [],
        started: Date = Date(),
        session: String = UUID().uuidString.lowercased(),
        writer: RedactingWriter = RedactingWriter(redactor: Redactor())
    ) -> RunMetadata {
        RunMetadata(
            application: writer.label(application),
            release: writer.label(release),
            environment: environment.map { writer.label($0) },
            dist: dist.map { writer.label($0) },
            serverName: serverName.map { writer.label($0) },
            attachments: attachments.isEmpty ? nil : attachments,
            started: Date(recorded: started.timeIntervalSinceReferenceDate.bitPattern),
            process: getpid(),
            bootID: currentBootID,
            session: session,
            executable: try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"
            ),
            machine: currentMachine,
            memory: .current()
        )
    }

    /// The identifier of the current boot, or nil if unavailable.
    static var currentBootID: String? {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text?.split(separator: "\n").first.map(String.init)
    }
}

extension RunMetadata {
    /// The machine that this process runs on, as in ``Report/machine``.
    static var currentMachine: [String: String] {
        var names = utsname()
        uname(&names)
        return [
            "system": systemName ?? text(names.sysname),
            "kernel": text(names.release),
            "architecture": text(names.machine),
            "locale": Locale.current.identifier,
        ]
    }

    /// The name from `/etc/os-release`.
    private static var systemName: String? {
        let text = try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        return line?.dropFirst("PRETTY_NAME=".count).trimmingCharacters(in: ["\"", "'"])
    }

    /// Returns the text of a fixed-size field up to the first zero byte.
    private static func text(_ field: some Any) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
