// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import OfflineModel
import OfflineStore
import Testing
import TidingsDiagnostics
import TidingsHTTP

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct ArgumentsTests {
    private let ids = [3, 1].map { ItemID(rawValue: $0) }

    private func command<Wanted: Command>(_ words: String...) throws -> Wanted? {
        try Arguments(words).command as? Wanted
    }

    @Test func readsGetWithAllItsOptionsInAnyOrder() throws {
        var get = GetOptions(addresses: ["http://a/b"], waits: true, again: true)
        get.choice.quality = .height(720)
        get.requests.allowsPrivateAddresses = true
        let options = ["--wait", "--again", "--allow-private", "--quality=720p"]
        for words in [["get", "http://a/b"] + options, options + ["get", "http://a/b"]] {
            #expect(try Arguments(words).command as? GetOptions == get)
        }
    }

    @Test(arguments: [
        ([], nil), (["--for", "90s"], 90), (["--for=30m"], 1_800), (["--for", "2h"], 7_200),
        (["--for", "1h30m"], 5_400), (["--for=1h1m1s"], 3_661),
    ])
    func readsTheTimeToRecord(options: [String], seconds: Double?) throws {
        let get = try Arguments(["get", "http://a/b", "--live"] + options).command as? GetOptions
        #expect(get?.live == LiveRecording(seconds: seconds))
    }

    @Test(arguments: ["", "0s", "h", "2", "2d", "30m2h", "-1h", "9999999h", "1.5h", "99999999s"])
    func refusesAnImpossibleTimeToRecord(text: String) {
        #expect(throws: UsageError.self) {
            try Arguments(["get", "http://a/b", "--live", "--for=\(text)"])
        }
        #expect(throws: UsageError.self) { try Arguments(["get", "http://a/b", "--for", "2h"]) }
    }

    @Test func readsTheActionsOnDownloads() throws {
        #expect(try command("retry", "3", "1") == RetryCommand(ids: ids))
        #expect(
            try command("resume", "--all")
                == RetryCommand(concernsAll: true, command: "resume", action: .resume)
        )
        let address = try WebAddress("https://a.example")
        let retry = RetryCommand(ids: [ids[0]], address: address)
        #expect(try command("retry", "3", "--address", "https://a.example") == retry)
        #expect(try command("cancel", "3", "1") == CancelCommand(ids: ids))
        #expect(try command("pause", "--all") == PauseCommand(concernsAll: true))
        #expect(try command("keep", "3", "1") == KeepCommand(ids: ids))
        #expect(try command("remove", "3", "1") == RemoveCommand(ids: ids, withFile: false))
        let move: MoveCommand? = try command("move", "3", "before", "1")
        #expect(move?.id == ids[0] && move?.place == .before(ids[1]))
        let first: MoveCommand? = try command("move", "3", "top")
        #expect(first?.place == .top)
    }

    @Test func readsServe() throws {
        let serve = ServeOptions(
            opensNoBrowser: true,
            isActivated: true,
            onReady: "/bin/echo",
            onReadyArguments: ["-n", "--x", "a b"]
        )
        let words = [
            "serve", "--on-ready", "/bin/echo", "--on-ready-argument", "-n", "--activated",
            "--on-ready-argument=--x", "--on-ready-argument", "a b", "--no-browser",
        ]
        #expect(try Arguments(words).command as? ServeOptions == serve)
    }

    @Test func readsTheOptionsOfTheRequests() throws {
        let texts = RequestOptions.Texts(
            headers: ["A: 1", "B: --x"],
            referrer: "https://a/",
            proxy: "http://b:1",
            checksum: "md5:0"
        )
        let requests = RequestArguments(texts: texts, cookieFile: "jar", cookieBrowser: "firefox")
        let words = [
            "--header", "A: 1", "--header=B: --x", "--referrer", "https://a/", "--proxy=http://b:1",
            "--checksum", "md5:0", "-f", "list", "-f", "-", "--cookies", "jar",
            "--cookies-from-browser", "firefox",
        ]
        let get = try Arguments(["get", "a.example/1"] + words + ["a.example/2"]).command
        let wanted = GetOptions(
            addresses: ["a.example/1", "a.example/2"],
            lists: ["list", "-"],
            requests: requests
        )
        #expect(get as? GetOptions == wanted)
    }

    @Test func readsTheCommandsOfFeedsAndCollections() throws {
        let name = try CollectionName("For the train")
        let follow: FollowCommand? = try command(
            "follow",
            "pod.example/feed",
            "--keep=3",
            "--pages",
            "--header=A: 1"
        )
        let requests = RequestArguments(texts: .init(headers: ["A: 1"]))
        let wanted = FollowCommand(
            address: "pod.example/feed",
            keep: 3,
            keepsPages: true,
            requests: requests
        )
        #expect(follow == wanted)
        #expect(try command("unfollow", "1") == UnfollowCommand(ids: [FeedID(rawValue: 1)]))
        #expect(try command("collections", "--json") == CollectionsCommand(json: true))
        #expect(try command("collections", " For the train ") == CollectionsCommand(name: name))
        #expect(
            try command("collections", "add", "For the train", "3", "1")
                == CollectionsCommand(change: .add, name: name, ids: ids)
        )
        let new = try CollectionName("B")
        #expect(
            try command("collections", "rename", "For the train", "B")
                == CollectionsCommand(change: .rename, name: name, newName: new)
        )
        let list = ListOptions(words: ["w", "a b"], collection: new)
        #expect(try command("list", "w", "a b", "--collection", "B") == list)
    }

    @Test func readsTheOtherCommands() throws {
        #expect(try command("verify", "3", "1", "--json") == VerifyCommand(ids: ids, json: true))
        #expect(try command("verify") == VerifyCommand())
        #expect(try command("export", "-") == TransferCommand(isImport: false, path: "-"))
        #expect(
            try command("import", "a b.jsonl", "--allow-private")
                == TransferCommand(isImport: true, path: "a b.jsonl", allowsPrivate: true)
        )
        let refresh = RefreshOptions(removeMissing: true, importFiles: true, isConfirmed: true)
        #expect(
            try command("refresh", "--import", "--remove-missing", "--yes")
                == RefreshCommand(options: refresh)
        )
        #expect(try command("settings", "per-host") == SettingsCommand(key: .perHost))
        let hours = SettingsCommand(key: .hours, value: "23:00-07:00")
        #expect(try command("settings", "hours", "23:00-07:00") == hours)
        #expect(
            try command("reports", "show", "1a2b", "--json")
                == ReportsCommand(action: .show, id: "1a2b", json: true)
        )
        #expect(
            try command("reports", "delete", "--all")
                == ReportsCommand(action: .delete, concernsAll: true)
        )
        #expect(
            try command("reports", "consent", "given")
                == ReportsCommand(action: .consent, consent: .given)
        )
        #expect(try command("devices", "remove", "2") == DevicesCommand(action: .remove, number: 2))
        #expect(
            try command("diagnostics", "crash", "nil", "--yes")
                == DiagnosticsCommand(way: .nil, isConfirmed: true)
        )
        #expect(try command() == HelpCommand())
        #expect(try command("get", "--help") == HelpCommand(name: "get"))
        #expect(try command("help", "remove") == HelpCommand(name: "remove"))
        #expect(try command("--version", "list") == HelpCommand(name: "list", showsVersion: true))
    }

    @Test func readsTheOptionsOfEveryCommandFromAnyPosition() throws {
        #expect(try Arguments(["--library", "list", "list"]).common.library == "list")
        #expect(try Arguments(["list", "--library=/y"]).common.library == "/y")
        #expect(try Arguments(["list"]).common.library == nil)
        #expect(try Arguments(["serve", "--sentry", "http://a"]).common.sentry == "http://a")
    }

    @Test func wordsAfterTwoDashesAreNotOptions() throws {
        let get: GetOptions? = try command("get", "--", "--wait")
        #expect(get == GetOptions(addresses: ["--wait"]))
    }

    @Test(arguments: [
        ["--library", "", "list"], ["--library=", "list"], ["move"], ["move", "1"],
        ["move", "x", "top"], ["move", "1", "first"], ["cancel", "--all"], ["pause", "--all", "1"],
        ["retry", "1", "2", "--address", "https://a.example"], ["cancel"], ["export"],
        ["import", "a", "b"], ["settings", "speed"], ["settings", "downloads", "0"],
        ["settings", "hours", "7-9"], ["settings", "hours", "always", "x"],
        ["serve", "--on-ready-argument", "a"], ["serve", "--on-ready"],
        ["serve", "--port", "65536"],
        ["follow"], ["follow", "a", "--keep", "0"], ["follow", "a", "--keep", "x"],
        ["follow", "a", "b"], ["unfollow"], ["unfollow", "x"], ["keep"], ["following", "x"],
        ["collections", "add"], ["collections", "add", "A"], ["collections", "add", "A", "x"],
        ["collections", "remove", "A"], ["collections", "rename", "A"], ["collections", "delete"],
        ["collections", "A", "B"], ["collections", ""], ["collections", "delete", "A", "--json"],
        ["list", "--collection"], ["list", "--collection="], ["list", "--collection", "a\nb"],
        ["inspect", "a", "--live", "--chapters", "2"], ["inspect", "a", "b"],
    ])
    func refusesWrongArguments(words: [String]) {
        #expect(throws: UsageError.self) { try Arguments(words) }
    }

    @Test(arguments: [
        (["fetch"], "Unknown command “fetch”."),
        (["get"], "The address is missing. Use: offline get https://…"),
        (["lst"], "Unknown command “lst”. Did you mean `offline list`?"),
        (["set"], "Unknown command “set”. Did you mean `offline settings`?"),
        (["help", "remvoe"], "Unknown command “remvoe”. Did you mean `offline remove`?"),
        (
            ["list", "--wait"],
            "Unknown option --wait for this command. It belongs to `offline get`."
        ),
        (["list", "--jsn"], "Unknown option --jsn for this command. Did you mean --json?"),
        (
            ["get", "a.example/f", "--qualty=best"],
            "Unknown option --qualty=best for this command. Did you mean --quality?"
        ),
        (["list", "-x"], "Unknown option -x for this command."),
        (["get", "a", "--for", "2h"], "--for has no effect without --live. Add --live."),
        (["get", "a", "--on", "x", "--on", "y"], "--on is given 2 times. Use it once."),
        (["remove", "x"], "“x” is not an item number. `offline list` shows the numbers."),
        (["rename", "1"], "TITLE is missing. Use: offline rename NUMBER TITLE..."),
        (["reports", "show"], "The report's ID is missing. `offline reports` lists the IDs."),
        (["reports", "burn"], "Unknown action “burn”. Use show, send, delete or consent."),
        (["reports", "consent"], "The choice is missing. Use given or revoked."),
        (["diagnostics"], "The action of `offline diagnostics` is missing. Use crash."),
        (["following", "more"], "Unexpected argument “more”."),
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
