// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics
@testable import TidingsSentry

@Suite(.timeLimit(.minutes(15)))
struct SentryCrashTests {
    private func exception(_ report: Report) -> JSONValue? {
        event(report)["exception"]?["values"]?[0]
    }

    @Test func aSignalIsUnhandledAndNamedByTheFunction() {
        let value = exception(makeCrash())
        #expect(value?["type"] == "SIGSEGV")
        #expect(value?["value"] == "Bad pointer dereference")
        #expect(value?["thread_id"] == 4711)
        #expect(
            value?["mechanism"] == [
                "type": "signalhandler", "handled": false, "synthetic": true,
                "data": ["address": "0x10"],
                "meta": ["signal": ["number": 11, "code": 1, "name": "SIGSEGV"]],
            ]
        )
    }

    @Test(arguments: [
        ("Fatal error: Index out of range", "Fatal error", "Index out of range"),
        (
            "Swift runtime failure: arithmetic overflow", "Swift runtime failure",
            "arithmetic overflow"
        ),
        ("It is over", "SIGSEGV", "It is over"), ("Fatal error: ", "SIGSEGV", "Fatal error: "),
        ("Fatal error: a\nb: c", "Fatal error", "a\nb: c"),
    ])
    func theRuntimesReasonIsTheTitle(reason: String, type: String, value: String) {
        let exception = exception(makeCrash { $0.reason = reason })
        #expect(exception?["type"]?.string == type)
        #expect(exception?["value"]?.string == value)
        #expect(exception?["mechanism"]?["synthetic"] == false)
    }

    @Test func anIncompleteCrashIsMarked() {
        let crash = makeCrash {
            $0.isTruncated = true
            $0.isRecovered = true
            $0.sender = 1
            $0.signal = ""
        }
        let value = exception(crash)
        #expect(value?["type"] == "Signal 11")
        let data = value?["mechanism"]?["data"]
        #expect(data?["truncated"] == true && data?["recovered"] == true && data?["sender"] == 1)
    }

    @Test func aThreadHasNoNegativeID() {
        let event = event(makeCrash { $0.thread = -7 })
        #expect(event["threads"]?["values"]?[0]?["id"] == 0)
        #expect(event["exception"]?["values"]?[0]?["thread_id"] == 0)
    }

    @Test func theOutermostCallIsFirst() {
        let stack = exception(makeCrash())?["stacktrace"]
        #expect(stack?["frames"]?.values.count == 2)
        #expect(
            stack?["frames"]?[1] == [
                "function": "load(_:)", "filename": "Load.swift",
                "abs_path": "~/films/Sources/Films/Load.swift", "lineno": 12,
                "instruction_addr": "0x1010", "image_addr": "0x1000", "package": "/usr/bin/films",
                "in_app": true,
            ]
        )
        #expect(
            stack?["frames"]?[0]
                == ["instruction_addr": "0x9999", "package": "libc.so.6", "in_app": false]
        )
        #expect(stack?["registers"] == ["rip": "0x1010", "rsp": "0x7fff0000"])
    }

    @Test func bothEndsOfALongStackAreSent() {
        var report = makeCrash()
        report.frames = (0..<400).map { ReportedFrame(address: UInt64($0), kind: .call) }
        let frames = exception(report)?["stacktrace"]?["frames"]?.values ?? []
        #expect(frames.count == 250)
        #expect(frames.first?["instruction_addr"] == .address(399))
        #expect(frames.last?["instruction_addr"] == .address(0))
    }

    @Test func aGapInTheStackHasANameAndNoAddress() {
        var report = makeCrash()
        report.frames = [ReportedFrame(address: 0, kind: .call)]
        report.frames[0].function = "[callers are missing]"
        let frame = exception(report)?["stacktrace"]?["frames"]?[0]
        #expect(frame == ["function": "[callers are missing]", "in_app": false])
    }

    @Test func withoutFramesThereIsNoStack() {
        var report = makeCrash()
        report.frames = []
        #expect(exception(report)?["stacktrace"] == nil)
    }

    @Test func imagesAreIdentifiedByTheirBuildID() {
        #expect(
            event(makeCrash())["debug_meta"]?["images"] == [
                [
                    "type": "elf", "code_file": "/usr/bin/films",
                    "code_id": "00112233445566778899aabbccddeeff01234567",
                    "debug_id": "33221100-5544-7766-8899-aabbccddeeff",
                    "image_addr": "0x1000", "image_size": 4096,
                ]
            ]
        )
    }

    @Test(arguments: [
        ("abcd", "0000cdab-0000-0000-0000-000000000000"), ("", nil), ("abc", nil), ("zz", nil),
    ])
    func aShortBuildIDIsPadded(build: String, debugID: String?) {
        var report = makeCrash()
        report.images = [ReportedImage(path: "/a", buildID: build, start: 1, end: 2)]
        let images = event(report)["debug_meta"]?["images"]
        #expect(images?[0]?["debug_id"]?.string == debugID)
    }

    @Test func theOtherThreadsAreSentWithTheirInnermostCalls() {
        var report = makeCrash()
        var frame = ReportedFrame(at: 0x1020, .call)
        frame.function = "wait(for:)"
        let frames = Array(repeating: frame, count: 40)
        report.threads = (1...70).map { ReportedThread(number: $0, name: "w\($0)", frames: frames) }
        report.threads[1].frames = []
        let threads = event(report)["threads"]?["values"]
        #expect(threads?[0]?["crashed"] == true && threads?[65] == nil)
        #expect(threads?[1]?["id"] == 1 && threads?[1]?["name"] == "w1")
        #expect(threads?[1]?["crashed"] == false && threads?[1]?["current"] == false)
        let calls = threads?[1]?["stacktrace"]?["frames"]
        #expect(calls?[24]?["function"] == "wait(for:)" && calls?[25] == nil)
        #expect(calls?[0]?["instruction_addr"] == "0x1020")
        #expect(threads?[2]?["stacktrace"] == nil)
    }

    @Test func theThreadAndTheLastOutputAreSent() {
        let text = String(repeating: "x", count: 9_000) + "the end"
        let event = event(makeCrash { $0.text = text })
        #expect(
            event["threads"]?["values"]
                == [["id": 4711, "name": "worker", "crashed": true, "current": true]]
        )
        #expect(event["threads"]?["values"]?[1] == nil)
        let sent = event["contexts"]?["standard_error"]?["text"]?.string ?? ""
        #expect(sent.hasPrefix("…x") && sent.hasSuffix("the end") && sent.count == 7_500)
    }
}
