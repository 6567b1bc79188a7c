// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct CaptureModeTests {
    private var process = ProcessTraits(
        arguments: ["/usr/bin/films"],
        environment: ["HOME": "/root"],
        status: "Name:\tfilms\nTracerPid:\t0\nUid:\t7\n",
        isDebugBuild: false
    )

    @Test mutating func r13_aDebugBuildCapturesOnlyOnRequest() {
        #expect(CaptureMode.automatic.obstacle(in: process) == nil)
        process.isDebugBuild = true
        #expect(CaptureMode.automatic.obstacle(in: process) == .debugBuild)
        #expect(CaptureMode.on.obstacle(in: process) == nil)
        #expect(CaptureMode.off.obstacle(in: process) == .asked)
    }

    @Test(arguments: [
        "/build/filmsPackageTests.xctest", "/usr/libexec/swift/pm/swiftpm-testing-helper", "xctest",
    ])
    mutating func r13_aTestRunnerIsNotCaptured(_ path: String) {
        process.arguments = [path, "--testing-library", "swift-testing"]
        #expect(CaptureMode.automatic.obstacle(in: process) == .testRunner)
        #expect(CaptureMode.on.obstacle(in: process) == nil)
    }

    @Test mutating func r13_aProcessWithTestVariablesIsNotCaptured() {
        process.environment["XCTestConfigurationFilePath"] = "/tmp/x"
        #expect(CaptureMode.automatic.obstacle(in: process) == .testRunner)
    }

    @Test mutating func r13_aTracedProcessIsNotCaptured() {
        process.status = "Name:\tfilms\nTracerPid:\t71\n"
        #expect(CaptureMode.automatic.obstacle(in: process) == .traced)
        process.status = ""
        #expect(CaptureMode.automatic.obstacle(in: process) == nil)
    }

    @Test func thisProcessRunsTests() {
        #expect(ProcessTraits.current().isTestRunner)
        #expect(ProcessTraits.current().status.contains("TracerPid:"))
        #if DEBUG
        #expect(ProcessTraits.current().isDebugBuild)
        #else
        #expect(!ProcessTraits.current().isDebugBuild)
        #endif
    }
}
