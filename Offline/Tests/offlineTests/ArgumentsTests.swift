// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Testing
import TidingsDiagnostics

@testable import offline

@Suite(.timeLimit(.minutes(5)))
struct ArgumentsTests {
    private func command(_ words: String...) throws -> Arguments.Command {
        try Arguments(words).command
    }

    @Test func readsGetWithAllItsOptionsInAnyOrder() throws {
        var choice = RequestedChoice()
        choice.quality = .height(720)
        let get = Arguments.Get(
            addresses: ["http://a/b"],
            choice: choice,
            waits: true,
            again: true,
            allowsPrivateAddresses: true
        )
        let options = ["--wait", "--again", "--allow-private", "--quality=720p"]
        #expect(try Arguments(["get", "http://a/b"] + options).command == .get(get))
        #expect(try Arguments(options + ["get", "http://a/b"]).command == .get(get))
    }

    @Test(arguments: [
        ([], nil), (["--for", "90s"], 90), (["--for=30m"], 1_800), (["--for", "2h"], 7_200),
        (["--for", "1h30m"], 5_400), (["--for=1h1m1s"], 3_661),
    ])
    func readsTheTimeToRecord(options: [String], seconds: Double?) throws {
        let get = Arguments.Get(addresses: ["http://a/b"], live: LiveRecording(seconds: seconds))
        let words = ["get", "http://a/b", "--live"] + options
        #expect(try Arguments(words).command == .get(get))
    }

    @Test(arguments: ["", "0s", "h", "2", "2d", "30m2h", "-1h", "9999999h", "1.5h", "99999999s"])
    func refusesAnImpossibleTimeToRecord(text: String) {
        #expect(throws: UsageError.self) {
            try Arguments(["get", "http://a/b", "--live", "--for=\(text)"])
        }
        #expect(throws: UsageError.self) { try Arguments(["get", "http://a/b", "--for", "2h"]) }
    }

    @Test func readsTheActionsOnDownloads() throws {
        let ids = [1, 2].map { ItemID(rawValue: $0) }
        #expect(try command("retry", "1", "2") == .retry(ids, at: nil))
        #expect(try command("cancel", "1", "2") == .cancel(ids))
        #expect(try command("pause", "--all") == .all(.pause))
        #expect(try command("resume", "--all") == .all(.resume))
        #expect(try command("retry", "--all") == .all(.retry))
        #expect(try command("move", "2", "top") == .move(ids[1], .top))
        #expect(try command("move", "2", "before", "1") == .move(ids[1], .before(ids[0])))
    }

    @Test(arguments: [
        ["move"], ["move", "1"], ["move", "x", "top"], ["move", "1", "first"], ["cancel", "--all"],
        ["pause", "--all", "1"], ["cancel"],
    ])
    func refusesInvalidActionsOnDownloads(words: [String]) {
        #expect(throws: UsageError.self) { try Arguments(words) }
    }

    @Test func readsTheCommandForReadyItems() throws {
        var serve = Arguments.Serve()
        serve.onReady = "/bin/echo"
        serve.onReadyArguments = ["-n", "--x", "a b"]
        let words = [
            "serve", "--on-ready", "/bin/echo", "--on-ready-argument", "-n",
            "--on-ready-argument=--x", "--on-ready-argument", "a b",
        ]
        #expect(try Arguments(words).command == .serve(serve))
        #expect(throws: UsageError.self) { try Arguments(["serve", "--on-ready-argument", "a"]) }
        #expect(throws: UsageError.self) { try Arguments(["serve", "--on-ready"]) }
    }

    @Test func theServiceFileSaysThatTheMessageBusStartsTheProgram() throws {
        var serve = Arguments.Serve()
        serve.opensBrowser = false
        serve.isActivated = true
        #expect(
            try Arguments(["serve", "--no-browser", "--activated"]).command == .serve(serve)
        )
        #expect(!Usage.text.contains("--activated"))
    }

    @Test func readsSettings() throws {
        #expect(try command("settings") == .settings(.init()))
        #expect(try command("settings", "per-host") == .settings(.init(key: .perHost)))
        let change = SettingsCommand.Change(key: .hours, value: "23:00-07:00")
        #expect(try command("settings", "hours", "23:00-07:00") == .settings(change))
    }

    @Test(arguments: [["speed"], ["downloads", "0"], ["hours", "7-9"], ["hours", "always", "x"]])
    func refusesInvalidSettings(words: [String]) {
        #expect(throws: UsageError.self) { try Arguments(["settings"] + words) }
    }

    @Test func readsTheOptionsOfTheRequests() throws {
        let options = RequestOptions.Texts(
            headers: ["A: 1", "B: --x"],
            referrer: "https://a/",
            proxy: "http://b:1",
            checksum: "md5:0"
        )
        let get = Arguments.Get(
            addresses: ["a.example/1", "a.example/2"],
            lists: ["list", "-"],
            options: options,
            cookieFile: "jar",
            cookieBrowser: "firefox"
        )
        let words = [
            "--header", "A: 1", "--header=B: --x", "--referrer", "https://a/", "--proxy=http://b:1",
            "--checksum", "md5:0", "-f", "list", "-f", "-", "--cookies", "jar",
            "--cookies-from-browser", "firefox",
        ]
        #expect(
            try Arguments(["get", "a.example/1"] + words + ["a.example/2"]).command == .get(get)
        )
    }

    @Test func anEmptyFolderNameIsNotTheCurrentFolder() {
        #expect(throws: UsageError.self) { try Arguments(["--library", "", "list"]) }
        #expect(throws: UsageError.self) { try Arguments(["--library=", "list"]) }
    }

    @Test func readsTheOtherCommands() throws {
        #expect(try command("list", "--json") == .list(json: true))
        #expect(
            try command("verify", "3", "1", "--json")
                == .verify([ItemID(rawValue: 3), ItemID(rawValue: 1)], json: true)
        )
        #expect(try command("verify") == .verify([], json: false))
        #expect(
            try command("verify", "3", "--accept-subtitles")
                == .verify([ItemID(rawValue: 3)], acceptsSubtitles: true, json: false)
        )
        #expect(try command("export", "-") == .transfer(.export, path: "-"))
        #expect(try command("import", "a b.jsonl") == .transfer(.import, path: "a b.jsonl"))
        #expect(
            try command("import", "-", "--allow-private")
                == .transfer(.import, path: "-", allowsPrivate: true)
        )
        #expect(throws: UsageError.self) { try Arguments(["export"]) }
        #expect(throws: UsageError.self) { try Arguments(["import", "a", "b"]) }
        #expect(try command("list", "a b", "c") == .list(json: false, words: "a b c"))
        #expect(try command("remove", "7") == .remove([ItemID(rawValue: 7)], withFile: false))
        let refresh = RefreshOptions(removeMissing: true, importFiles: true, isConfirmed: true)
        #expect(
            try command("refresh", "--import", "--remove-missing", "--yes") == .refresh(refresh)
        )
        #expect(try command("reports", "--json") == .reports(.list(json: true)))
        #expect(try command("reports", "show", "1a2b") == .reports(.show("1a2b", json: false)))
        #expect(try command("reports", "delete", "--all") == .reports(.deleteAll))
        #expect(try command("reports", "delete", "1a2b") == .reports(.delete("1a2b")))
        #expect(try command("reports", "consent", "revoked") == .reports(.consent(.revoked)))
        #expect(try command("reports", "send") == .reports(.send))
        #expect(try command("diagnostics", "crash") == .crash(.fatalError, isConfirmed: false))
        let crash = try command("diagnostics", "crash", "nil", "--yes")
        #expect(crash == .crash(.nil, isConfirmed: true))
        #expect(try Arguments(["serve", "--sentry", "http://a"]).sentry == "http://a")
        #expect(try command() == .help(nil))
        #expect(try command("get", "--help") == .help("get"))
        #expect(try command("help", "remove") == .help("remove"))
    }

    @Test func readsTheLibraryFromAnyPosition() throws {
        #expect(try Arguments(["--library", "/x", "list"]).library == "/x")
        #expect(try Arguments(["list", "--library=/y"]).library == "/y")
        #expect(try Arguments(["list"]).library == nil)
    }

    @Test func wordsAfterTwoDashesAreNotOptions() throws {
        #expect(try command("get", "--", "--wait") == .get(Arguments.Get(addresses: ["--wait"])))
    }

    @Test(arguments: [
        (["fetch"], "Unknown command “fetch”."),
        (["get"], "The address is missing. Use: offline get https://…"),
        (["lst"], "Unknown command “lst”. Did you mean `offline list`?"),
        (["set"], "Unknown command “set”. Did you mean `offline settings`?"),
        (["help", "remvoe"], "Unknown command “remvoe”. Did you mean `offline remove`?"),
        (["list", "--wait"], "Unknown option --wait for this command."),
        (["list", "--jsn"], "Unknown option --jsn for this command. Did you mean --json?"),
        (
            ["get", "a.example/f", "--qualty=best"],
            "Unknown option --qualty=best for this command. Did you mean --quality?"
        ),
        (["list", "-x"], "Unknown option -x for this command."),
        (["remove", "x"], "“x” is not an item number. `offline list` shows the numbers."),
        (["reports", "show"], "The report's ID is missing. `offline reports` lists the IDs."),
        (["reports", "burn"], "Unknown action “burn”. Use show, send, delete or consent."),
        (["reports", "delete"], "The report's ID is missing. `offline reports` lists the IDs."),
        (
            ["reports", "consent"],
            "The choice is missing or unknown. Use: offline reports consent given|revoked"
        ),
        (
            ["diagnostics"],
            "The action of diagnostics is missing or unknown. "
                + "Use: offline diagnostics crash [WAY]"
        ),
        (["list", "--library"], "The value of --library is missing. Use --library DIR."),
        (["list", "--library", "--json"], "The value of --library is missing. Use --library DIR."),
    ])
    func anInvalidCommandLineNamesTheFaultAndTheRemedy(words: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try Arguments(words) }
        #expect(error?.message == message)
    }

    @Test func anInvalidRenditionIsRefusedWithAnExample() {
        let error = #expect(throws: UsageError.self) {
            try Arguments(["get", "a", "--quality", "big"])
        }
        #expect(error?.message.contains("720p") == true)
    }
}
