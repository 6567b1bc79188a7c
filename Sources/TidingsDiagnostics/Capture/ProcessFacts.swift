// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a process is, as far as that decides whether its crashes are anybody's business.
struct ProcessFacts: Sendable {
    var arguments: [String]
    var environment: [String: String]
    /// What the system says of the process, one line for each fact.
    var status: String
    /// Whether it was built to be debugged.
    var isDebugBuild: Bool

    private static let runners = ["xctest", "swiftpm-testing-helper", "swiftpm-xctest-helper"]
    private static let runnerVariables = [
        "XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier",
    ]

    static func current() -> ProcessFacts {
        ProcessFacts(
            arguments: CommandLine.arguments,
            environment: ProcessInfo.processInfo.environment,
            status: (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "",
            isDebugBuild: _isDebugAssertConfiguration()
        )
    }

    /// Whether it runs tests.
    var isTestRunner: Bool {
        let name = arguments.first?.split(separator: "/").last.map(String.init) ?? ""
        return Self.runners.contains(name) || name.hasSuffix(".xctest")
            || Self.runnerVariables.contains { environment[$0] != nil }
    }

    /// Whether a debugger, or whoever else traces it, sees its signals first.
    var isTraced: Bool {
        let line = status.split(separator: "\n").first { $0.hasPrefix("TracerPid:") }
        let tracer = line?.split(whereSeparator: { $0 == ":" || $0.isWhitespace }).last
        return tracer.flatMap { Int($0) }.map { $0 != 0 } ?? false
    }
}
