// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics
@testable import TidingsSentry

@Suite(.timeLimit(.minutes(15)))
struct SentryEventTests {
    @Test func anErrorReportBecomesAnEvent() throws {
        let report = makeReport {
            $0.user = "u-17"
            $0.grouping = ["load", "", "{{ default }}"]
        }
        let text = String(decoding: SentryEvent.bytes(report, now: sendDate), as: UTF8.self)
        #expect(
            text == """
                {"event_id":"5e0f000011114222833344445555aaaa","timestamp":1799999940.0,\
                "platform":"native","level":"error","release":"films@1.4.0",\
                "environment":"production",\
                "sdk":{"name":"tidings.swift","version":"\(SentryEnvelope.version)"},\
                "user":{"id":"u-17"},\
                "exception":{"values":[{"type":"Films.LoadError.notFound",\
                "value":"There is no film.",\
                "mechanism":{"type":"generic","handled":true,\
                "data":{"code":"notFound","location":"Films/Load.swift:12"}}}]},\
                "contexts":{"app":{"app_name":"films","app_version":"1.4.0"}},\
                "fingerprint":["load","{{ default }}"]}
                """
        )
    }

    @Test func theFirstCauseIsFirstAndTheErrorHasTheStack() {
        var report = makeCrash()
        report.crash = nil
        report.errors = [
            ReportedError(domain: "A", code: nil, message: "outer", location: nil),
            ReportedError(domain: "B", code: "-7", message: "inner", location: nil),
        ]
        let values = event(report)["exception"]?["values"]?.values ?? []
        #expect(values.map { $0["type"] } == ["B (-7)", "A"])
        #expect(values.map { $0["mechanism"]?["type"] } == ["chained", "generic"])
        #expect(values.map { $0["stacktrace"] != nil } == [false, true])
        #expect(event(report)["threads"] == nil)
    }

    @Test func r26_theInnermostFrameIsTheLineThatFailed() {
        var report = makeCrash()
        report.crash = nil
        report.errors = makeReport().errors
        func frames() -> [JSONValue] {
            event(report)["exception"]?["values"]?[0]?["stacktrace"]?["frames"]?.values ?? []
        }
        // The stack contains the line of code.
        let count = report.frames.count
        #expect(frames().count == count && frames().last?["lineno"] == .integer(12))
        #expect(frames().last?["function"] != nil)
        report.errors[0].location = "Films/Net.swift:7"
        #expect(frames().count == count + 1)
        #expect(frames().last?["filename"] == "Net.swift" && frames().last?["lineno"] == 7)
        #expect(
            frames().map { $0["in_app"] == true } == Array(repeating: false, count: count) + [true]
        )
        for location in ["Net.swift", "Net.swift:x", ":3", ""] {
            report.errors[0].location = location
            #expect(frames().count == count)
        }
    }

    @Test func r7_aRunThatEndedWithoutNoticeIsAnUnhandledError() {
        let report = makeReport { $0.level = .fatal }
        let exception = event(report)["exception"]?["values"]?[0]
        #expect(exception?["mechanism"]?["handled"] == false)
    }

    @Test func aReportWithoutAnErrorHasAMessage() {
        let event = event(makeReport { $0.errors = [] })
        #expect(event["exception"] == nil)
        #expect(event["logentry"]?["formatted"]?.string?.isEmpty == false)
    }

    @Test(arguments: [
        (ReportLevel.info, "info"), (.warning, "warning"), (.error, "error"), (.fatal, "fatal"),
    ])
    func levelsHaveTheirNames(level: ReportLevel, name: String) {
        #expect(event(makeReport { $0.level = level })["level"]?.string == name)
    }

    @Test func theNewestBreadcrumbsAreSentWithTheirLocations() {
        var breadcrumbs: [Breadcrumb] = []
        for number in 0..<150 {
            let breadcrumb = Breadcrumb(
                date: sendDate.addingTimeInterval(Double(number) - 200),
                category: number < 149 ? "log" : "message",
                text: "\(number)",
                location: number < 149 ? nil : "A/B.swift:1"
            )
            breadcrumbs.append(breadcrumb)
        }
        let sent = event(makeReport { $0.breadcrumbs = breadcrumbs })["breadcrumbs"]?["values"]
        #expect(sent?.values.count == 100)
        #expect(sent?[0]?["message"] == "50")
        #expect(sent?[0]?["category"] == "log")
        #expect(sent?[99]?["category"] == "message")
        #expect(sent?[99]?["data"]?["location"] == "A/B.swift:1")
        #expect(sent?[99]?["timestamp"] == .number(1_799_999_949))
    }

    @Test func aBreadcrumbIsSentWithItsLevelCategoryAndValues() {
        let breadcrumb = Breadcrumb(
            date: sendDate,
            category: "mux",
            level: .warning,
            text: "begun",
            data: ["segments": 12, "is_live": false],
            location: "A/B.swift:1"
        )
        let sent = event(makeReport { $0.breadcrumbs = [breadcrumb] })["breadcrumbs"]?["values"]?[0]
        #expect(sent?["category"] == "mux" && sent?["level"] == "warning")
        #expect(
            sent?["data"]
                == ["is_live": false, "segments": 12, "location": "A/B.swift:1"]
        )
    }

    @Test(arguments: [
        ("417", "417"), ("a b/c\n", "a-b-c-"), (String(repeating: "9", count: 70), nil), ("", nil),
    ])
    func theDistributionIsAValidName(dist: String, sent: String?) {
        let event = event(
            makeReport {
                $0.dist = dist
                $0.serverName = "web-1"
            }
        )
        #expect(event["server_name"] == "web-1")
        let wanted = dist.isEmpty ? nil : sent ?? String(repeating: "9", count: 64)
        #expect(event["dist"]?.string == wanted)
    }

    @Test func aDateThatServersRefuseBecomesTheTimeOfSending() {
        for offset in [-40.0 * 86_400, 3_600, -1e18, .infinity, .nan] {
            let date = Date(timeIntervalSince1970: sendDate.timeIntervalSince1970 + offset)
            let event = event(makeReport { $0.date = date })
            #expect(event["timestamp"] == .number(1_800_000_000))
            #expect(event["extra"]?["recorded_at"]?.string?.hasSuffix("Z") == true)
        }
        let event = event(makeReport { $0.date = sendDate.addingTimeInterval(-20 * 86_400) })
        #expect(event["timestamp"] == .number(1_800_000_000 - 20 * 86_400))
        #expect(event["extra"] == nil)
    }

    @Test func theMachineAndTheProgramAreContexts() {
        let contexts = event(
            makeReport {
                $0.session = "run-1"
                $0.machine = [
                    "system": "Debian GNU/Linux 12", "kernel": "6.1.0", "architecture": "x86_64",
                    "locale": "en_US",
                ]
            }
        )["contexts"]
        #expect(
            contexts?["os"]
                == ["name": "Debian GNU/Linux", "version": "12", "kernel_version": "6.1.0"]
        )
        #expect(contexts?["device"] == ["arch": "x86_64"])
        #expect(contexts?["culture"] == ["locale": "en_US"])
        #expect(contexts?["run"] == ["session": "run-1"])
    }

    @Test func anEventIsNeverLargerThanServersTake() throws {
        let text = String(repeating: "😀\"\\\n", count: 5_000)
        let report = makeReport { report in
            report.errors = Array(
                repeating: ReportedError(domain: text, code: text, message: text, location: text),
                count: 50
            )
            report.breadcrumbs = Array(
                repeating: Breadcrumb(date: sendDate, category: "log", text: text, location: text),
                count: 200
            )
            for number in 0..<60 {
                report.values["k\(number)"] = .text(text)
                report.context["c\(number)"] = .text(text)
            }
            report.frames = Array(
                repeating: ReportedFrame(address: 1, kind: .call, function: text, file: text),
                count: 500
            )
            report.grouping = Array(repeating: text, count: 100)
        }
        let bytes = SentryEvent.bytes(report, now: sendDate)
        #expect(bytes.count <= 1_000_000)
        #expect(try JSONSerialization.jsonObject(with: Data(bytes)) is [String: Any])
    }
}
