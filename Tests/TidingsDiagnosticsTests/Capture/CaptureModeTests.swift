// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct CaptureModeTests {
    private var process = ProcessFacts(
        arguments: ["/usr/bin/films"],
        environment: ["HOME": "/root"],
        status: "Name:\tfilms\nTracerPid:\t0\nUid:\t7\n"
    )
    private let release = CaptureMode(isDebugBuild: false)

    @Test func promise13_aDebugBuildCapturesOnlyWhenItIsAsked() {
        #expect(release.obstacle(in: process) == nil)
        #expect(CaptureMode(isDebugBuild: true).obstacle(in: process) == .debugBuild)
        #expect(CaptureMode.on.obstacle(in: process) == nil)
        #expect(CaptureMode.off.obstacle(in: process) == .asked)
    }

    @Test(arguments: [
        "/build/filmsPackageTests.xctest", "/usr/libexec/swift/pm/swiftpm-testing-helper", "xctest",
    ])
    mutating func promise13_aTestRunnerIsNotCaptured(_ path: String) {
        process.arguments = [path, "--testing-library", "swift-testing"]
        #expect(release.obstacle(in: process) == .testRunner)
        #expect(CaptureMode.on.obstacle(in: process) == nil)
    }

    @Test mutating func promise13_whatSaysThatItRunsTestsIsNotCaptured() {
        process.environment["XCTestConfigurationFilePath"] = "/tmp/x"
        #expect(release.obstacle(in: process) == .testRunner)
    }

    @Test mutating func promise13_whatIsTracedIsNotCaptured() {
        process.status = "Name:\tfilms\nTracerPid:\t71\n"
        #expect(release.obstacle(in: process) == .traced)
        process.status = ""
        #expect(release.obstacle(in: process) == nil)
    }

    @Test func thisProcessRunsTests() {
        #expect(ProcessFacts.current().isTestRunner)
        #expect(ProcessFacts.current().status.contains("TracerPid:"))
        #if DEBUG
        #expect(CaptureMode.automatic == CaptureMode(isDebugBuild: true))
        #else
        #expect(CaptureMode.automatic == release)
        #endif
    }

    @Test func aStatusTellsWhatIsMissing() {
        let problem = CaptureStatus.Problem(part: .signalStack, message: "No memory. Free some.")
        let status = CaptureStatus(problems: [problem])
        #expect(status.isOn && "\(status)" == "capture on\nsignalStack: No memory. Free some.")
        #expect("\(CaptureStatus(reason: .traced))" == "capture off: traced")
    }
}
