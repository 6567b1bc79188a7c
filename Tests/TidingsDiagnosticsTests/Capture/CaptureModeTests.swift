// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct CaptureModeTests {
    private var process = ProcessFacts(
        arguments: ["/usr/bin/films"],
        environment: ["HOME": "/root"],
        status: "Name:\tfilms\nTracerPid:\t0\nUid:\t7\n",
        isDebugBuild: false
    )

    @Test mutating func promise13_aDebugBuildCapturesOnlyWhenItIsAsked() {
        #expect(CaptureMode.automatic.obstacle(in: process) == nil)
        process.isDebugBuild = true
        #expect(CaptureMode.automatic.obstacle(in: process) == .debugBuild)
        #expect(CaptureMode.on.obstacle(in: process) == nil)
        #expect(CaptureMode.off.obstacle(in: process) == .asked)
    }

    @Test(arguments: [
        "/build/filmsPackageTests.xctest", "/usr/libexec/swift/pm/swiftpm-testing-helper", "xctest",
    ])
    mutating func promise13_aTestRunnerIsNotCaptured(_ path: String) {
        process.arguments = [path, "--testing-library", "swift-testing"]
        #expect(CaptureMode.automatic.obstacle(in: process) == .testRunner)
        #expect(CaptureMode.on.obstacle(in: process) == nil)
    }

    @Test mutating func promise13_whatSaysThatItRunsTestsIsNotCaptured() {
        process.environment["XCTestConfigurationFilePath"] = "/tmp/x"
        #expect(CaptureMode.automatic.obstacle(in: process) == .testRunner)
    }

    @Test mutating func promise13_whatIsTracedIsNotCaptured() {
        process.status = "Name:\tfilms\nTracerPid:\t71\n"
        #expect(CaptureMode.automatic.obstacle(in: process) == .traced)
        process.status = ""
        #expect(CaptureMode.automatic.obstacle(in: process) == nil)
    }

    @Test func thisProcessRunsTests() {
        #expect(ProcessFacts.current().isTestRunner)
        #expect(ProcessFacts.current().status.contains("TracerPid:"))
        #if DEBUG
        #expect(ProcessFacts.current().isDebugBuild)
        #else
        #expect(!ProcessFacts.current().isDebugBuild)
        #endif
    }

    @Test func aStatusTellsWhatIsMissing() {
        let problem = CaptureStatus.Problem(part: .signalStack, message: "No memory. Free some.")
        let status = CaptureStatus(problems: [problem])
        #expect(status.isOn && "\(status)" == "capture on\nsignalStack: No memory. Free some.")
        #expect("\(CaptureStatus(reason: .traced))" == "capture off: traced")
    }
}
