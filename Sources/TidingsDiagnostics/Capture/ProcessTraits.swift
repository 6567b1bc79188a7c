// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The properties of a process that determine whether crashes are captured.
struct ProcessTraits: Sendable {
    var arguments: [String]
    var environment: [String: String]
    /// The contents of `/proc/self/status`: one property per line.
    var status: String
    /// Whether the program is a debug build.
    var isDebugBuild: Bool

    private static let runners = ["xctest", "swiftpm-testing-helper", "swiftpm-xctest-helper"]
    private static let runnerVariables = [
        "XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier",
    ]

    static func current() -> ProcessTraits {
        ProcessTraits(
            arguments: CommandLine.arguments,
            environment: ProcessInfo.processInfo.environment,
            status: SystemFile.list("/proc/self/status"),
            isDebugBuild: _isDebugAssertConfiguration()
        )
    }

    /// Whether the process runs tests.
    var isTestRunner: Bool {
        let name = arguments.first?.split(separator: "/").last.map(String.init) ?? ""
        return Self.runners.contains(name) || name.hasSuffix(".xctest")
            || Self.runnerVariables.contains { environment[$0] != nil }
    }

    /// Whether a debugger or another tracer receives the signals first.
    var isTraced: Bool {
        let line = status.split(separator: "\n").first { $0.hasPrefix("TracerPid:") }
        let tracer = line?.split(whereSeparator: { $0 == ":" || $0.isWhitespace }).last
        return tracer.flatMap { Int($0) }.map { $0 != 0 } ?? false
    }
}
