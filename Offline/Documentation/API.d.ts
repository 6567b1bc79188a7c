// SPDX-License-Identifier: Apache-2.0
// The types of the HTTP interface, which follow from the operations in OfflineAPI.

/** The function that sends a request and returns the JSON of the response. */
export interface Call {
  (method: "POST", path: `/api/catalog/refresh` | `/api/catalog/refresh?${string}`, body?: {}, more?: RequestInit): Promise<CatalogStateJSON>;
  (method: "POST", path: `/api/devices/invitations` | `/api/devices/invitations?${string}`, body?: {}, more?: RequestInit): Promise<Invitation>;
  (method: "POST", path: `/api/library/show` | `/api/library/show?${string}`, body?: {}, more?: RequestInit): Promise<ShownJSON>;
  (method: "POST", path: `/api/machines/downloads` | `/api/machines/downloads?${string}`, body: HandoverOrderBody, more?: RequestInit): Promise<Handover>;
  (method: "POST", path: `/api/notifications/read` | `/api/notifications/read?${string}`, body?: {}, more?: RequestInit): Promise<NotificationListJSON>;
  (method: "POST", path: `/api/reports/consent` | `/api/reports/consent?${string}`, body: ConsentJSON, more?: RequestInit): Promise<ReportsOverview>;
  (method: "POST", path: `/api/reports/send` | `/api/reports/send?${string}`, body?: {}, more?: RequestInit): Promise<ReportsOverview>;
  (method: "POST", path: `/api/reports/test` | `/api/reports/test?${string}`, body?: {}, more?: RequestInit): Promise<TestReportJSON>;
  (method: "DELETE", path: `/api/catalog` | `/api/catalog?${string}`, body?: {}, more?: RequestInit): Promise<CatalogStateJSON>;
  (method: "DELETE", path: `/api/reports` | `/api/reports?${string}`, body?: {}, more?: RequestInit): Promise<ReportsOverview>;
  (method: "DELETE", path: `/api/verify` | `/api/verify?${string}`, body?: {}, more?: RequestInit): Promise<VerificationReport>;
  (method: "GET", path: `/api/activity` | `/api/activity?${string}`, body?: {}, more?: RequestInit): Promise<ActivityJSON>;
  (method: "GET", path: `/api/catalog` | `/api/catalog?${string}`, body?: {}, more?: RequestInit): Promise<CatalogJSON>;
  (method: "GET", path: `/api/collections` | `/api/collections?${string}`, body?: {}, more?: RequestInit): Promise<CollectionList>;
  (method: "GET", path: `/api/connectivity` | `/api/connectivity?${string}`, body?: {}, more?: RequestInit): Promise<ConnectivityJSON>;
  (method: "GET", path: `/api/devices` | `/api/devices?${string}`, body?: {}, more?: RequestInit): Promise<DeviceList>;
  (method: "GET", path: `/api/feeds` | `/api/feeds?${string}`, body?: {}, more?: RequestInit): Promise<FeedList>;
  (method: "GET", path: `/api/items` | `/api/items?${string}`, body?: {}, more?: RequestInit): Promise<ItemListJSON>;
  (method: "GET", path: `/api/library` | `/api/library?${string}`, body?: {}, more?: RequestInit): Promise<FolderJSON>;
  (method: "GET", path: `/api/machines` | `/api/machines?${string}`, body?: {}, more?: RequestInit): Promise<HouseholdOverview>;
  (method: "GET", path: `/api/notifications` | `/api/notifications?${string}`, body?: {}, more?: RequestInit): Promise<NotificationListJSON>;
  (method: "GET", path: `/api/playback` | `/api/playback?${string}`, body?: {}, more?: RequestInit): Promise<PlaybackListJSON>;
  (method: "GET", path: `/api/preferences` | `/api/preferences?${string}`, body?: {}, more?: RequestInit): Promise<PreferencesJSON>;
  (method: "GET", path: `/api/queue` | `/api/queue?${string}`, body?: {}, more?: RequestInit): Promise<QueueState>;
  (method: "GET", path: `/api/reports` | `/api/reports?${string}`, body?: {}, more?: RequestInit): Promise<ReportsOverview>;
  (method: "GET", path: `/api/settings` | `/api/settings?${string}`, body?: {}, more?: RequestInit): Promise<Record<string, string>>;
  (method: "GET", path: `/api/uploads` | `/api/uploads?${string}`, body?: {}, more?: RequestInit): Promise<{}>;
  (method: "GET", path: `/api/verify` | `/api/verify?${string}`, body?: {}, more?: RequestInit): Promise<VerificationReport>;
  (method: "PATCH", path: `/api/settings` | `/api/settings?${string}`, body: Record<string, string | number>, more?: RequestInit): Promise<Record<string, string>>;
  (method: "POST", path: `/api/collections` | `/api/collections?${string}`, body: CollectionJSON, more?: RequestInit): Promise<MediaCollection>;
  (method: "POST", path: `/api/downloads` | `/api/downloads?${string}`, body: DownloadJSON, more?: RequestInit): Promise<ItemRepresentation>;
  (method: "POST", path: `/api/feeds` | `/api/feeds?${string}`, body: FeedRequestBody, more?: RequestInit): Promise<FeedRepresentation>;
  (method: "POST", path: `/api/import` | `/api/import?${string}`, body: Blob, more?: RequestInit): Promise<ImportReport>;
  (method: "POST", path: `/api/inspect` | `/api/inspect?${string}`, body: DownloadJSON, more?: RequestInit): Promise<MediaInspection>;
  (method: "POST", path: `/api/items` | `/api/items?${string}`, body: PasteJSON, more?: RequestInit): Promise<PastedJSON>;
  (method: "POST", path: `/api/preferences` | `/api/preferences?${string}`, body: PreferencesJSON, more?: RequestInit): Promise<PreferencesJSON>;
  (method: "POST", path: `/api/presence` | `/api/presence?${string}`, body: PresenceJSON, more?: RequestInit): Promise<PresenceJSON>;
  (method: "POST", path: `/api/refresh` | `/api/refresh?${string}`, body: RefreshOptions, more?: RequestInit): Promise<RefreshReport>;
  (method: "POST", path: `/api/sample` | `/api/sample?${string}`, body?: {}, more?: RequestInit): Promise<ItemRepresentation>;
  (method: "POST", path: `/api/tickets` | `/api/tickets?${string}`, body?: {}, more?: RequestInit): Promise<EntryJSON>;
  (method: "POST", path: `/api/verify` | `/api/verify?${string}`, body: VerifyJSON, more?: RequestInit): Promise<VerificationReport>;
  (method: "PUT", path: `/api/catalog` | `/api/catalog?${string}`, body: CatalogAddressJSON, more?: RequestInit): Promise<CatalogStateJSON>;
  (method: "POST", path: `/api/catalog/lessons/${string}/downloads` | `/api/catalog/lessons/${string}/downloads?${string}`, body: LessonPartsJSON, more?: RequestInit): Promise<LessonJSON>;
  (method: "DELETE", path: `/api/collections/${string}/items` | `/api/collections/${string}/items?${string}`, body: CollectionItemsJSON, more?: RequestInit): Promise<MediaCollection>;
  (method: "GET", path: `/api/items/${string}/playback` | `/api/items/${string}/playback?${string}`, body?: {}, more?: RequestInit): Promise<Playback>;
  (method: "GET", path: `/api/items/${string}/tracks` | `/api/items/${string}/tracks?${string}`, body?: {}, more?: RequestInit): Promise<TracksJSON>;
  (method: "POST", path: `/api/collections/${string}/items` | `/api/collections/${string}/items?${string}`, body: CollectionItemsJSON, more?: RequestInit): Promise<MediaCollection>;
  (method: "POST", path: `/api/devices/arrivals/${string}`, body: DecisionJSON, more?: RequestInit): Promise<DeviceList>;
  (method: "POST", path: `/api/feeds/${string}/check` | `/api/feeds/${string}/check?${string}`, body?: {}, more?: RequestInit): Promise<FeedRepresentation>;
  (method: "POST", path: `/api/items/${string}/cancel` | `/api/items/${string}/cancel?${string}`, body?: {}, more?: RequestInit): Promise<RemovalJSON>;
  (method: "POST", path: `/api/items/${string}/keep` | `/api/items/${string}/keep?${string}`, body?: {}, more?: RequestInit): Promise<ItemRepresentation>;
  (method: "POST", path: `/api/items/${string}/move` | `/api/items/${string}/move?${string}`, body: QueuePlace, more?: RequestInit): Promise<ItemRepresentation>;
  (method: "POST", path: `/api/items/${string}/pause` | `/api/items/${string}/pause?${string}`, body?: {}, more?: RequestInit): Promise<ItemRepresentation>;
  (method: "POST", path: `/api/items/${string}/rename` | `/api/items/${string}/rename?${string}`, body: TitleJSON, more?: RequestInit): Promise<ItemRepresentation>;
  (method: "POST", path: `/api/items/${string}/retry` | `/api/items/${string}/retry?${string}`, body: RetryJSON, more?: RequestInit): Promise<ItemRepresentation>;
  (method: "POST", path: `/api/items/${string}/show` | `/api/items/${string}/show?${string}`, body?: {}, more?: RequestInit): Promise<ShownJSON>;
  (method: "POST", path: `/api/items/${string}/stop` | `/api/items/${string}/stop?${string}`, body?: {}, more?: RequestInit): Promise<ItemRepresentation>;
  (method: "POST", path: `/api/notifications/${string}/response` | `/api/notifications/${string}/response?${string}`, body: ResponseJSON, more?: RequestInit): Promise<DestinationJSON>;
  (method: "PUT", path: `/api/items/${string}/playback` | `/api/items/${string}/playback?${string}`, body: PlaybackChange, more?: RequestInit): Promise<Playback>;
  (method: "DELETE", path: `/api/collections/${string}`, body?: {}, more?: RequestInit): Promise<{}>;
  (method: "DELETE", path: `/api/devices/${string}`, body?: {}, more?: RequestInit): Promise<DeviceList>;
  (method: "DELETE", path: `/api/feeds/${string}`, body?: {}, more?: RequestInit): Promise<UnfollowedJSON>;
  (method: "DELETE", path: `/api/items/${string}`, body?: {}, more?: RequestInit): Promise<RemovalJSON>;
  (method: "DELETE", path: `/api/reports/${string}`, body?: {}, more?: RequestInit): Promise<ReportsOverview>;
  (method: "GET", path: `/api/items/${string}`, body?: {}, more?: RequestInit): Promise<ItemRepresentation>;
  (method: "GET", path: `/api/reports/${string}`, body?: {}, more?: RequestInit): Promise<ReportRepresentation>;
  (method: "PATCH", path: `/api/collections/${string}`, body: CollectionJSON, more?: RequestInit): Promise<MediaCollection>;
  (method: "POST", path: `/api/items/${string}`, body?: {}, more?: RequestInit): Promise<ChangedJSON>;
}

/** The payloads of the events by name. */
export interface Events {
  "hello": HelloJSON;
  "items": ItemsJSON;
  "counts": Record<string, number>;
  "item": ItemRepresentation;
  "progress": ProgressJSON;
  "playback": PlaybackJSON;
  "removed": RemovedJSON;
  "queue": QueueState;
  "connectivity": ConnectivityJSON;
  "catalog": CatalogStateJSON;
  "notification": UnreadJSON;
  "preferences": PreferencesJSON;
  "report": Record<string, number>;
  "feeds": Record<string, number>;
  "collections": Record<string, number>;
  "devices": Record<string, number>;
  "machines": Record<string, number>;
  "activity": ActivityJSON;
  "post": ActivityPostJSON;
}

export interface ActivityHandlerJSON {
  location: string;
  kind: string;
  outcome: string;
  error?: string;
  seconds: number;
}

export interface ActivityJSON {
  isWatched: boolean;
  posts: Array<ActivityPostJSON>;
  observations: Array<ActivityPlaceJSON>;
}

export interface ActivityPlaceJSON {
  location: string;
  messages: Array<string>;
  count: number;
  kinds: Record<string, number>;
  pending: number;
  dropped: number;
}

export interface ActivityPostJSON {
  number: number;
  cause?: number;
  message: string;
  location: string;
  detail?: string;
  outcome: string;
  seconds: number;
  handlers: Array<ActivityHandlerJSON>;
}

export interface CatalogAddressJSON {
  address: string;
  allowPrivate?: boolean;
}

export interface CatalogJSON {
  catalog: CatalogStateJSON;
  total: number;
  from: number;
  groups: Array<LessonGroupJSON>;
}

export interface CatalogStateJSON {
  state: string;
  address?: string;
  allowPrivate?: boolean;
  isStale: boolean;
  loadedAt?: string;
  error?: ItemFailure;
  title?: string;
  lessonCount?: number;
}

export interface ChangedJSON {
  changed: number;
}

export interface Chapter {
  start: number;
  title: string;
}

export interface CollectionItemsJSON {
  items: Array<number>;
}

export interface CollectionJSON {
  name?: string;
  items?: Array<number>;
}

export interface CollectionList {
  collections: Array<MediaCollection>;
}

export interface ConnectivityJSON {
  state: string;
  problem?: string;
}

export interface ConsentJSON {
  consent: "unknown" | "given" | "revoked";
}

export interface DecisionJSON {
  letIn: boolean;
}

export interface DestinationJSON {
  open: "library" | "downloads" | "settings";
  itemID?: number;
  play: boolean;
  address?: string;
}

export interface Device {
  id: number;
  name: string;
  added: string;
  seen: string;
}

export interface DeviceList {
  isOpen: boolean;
  address?: string;
  devices: Array<Device>;
  arrivals: Array<DeviceListArrival>;
}

export interface DeviceListArrival {
  id: number;
  name: string;
  code: string;
}

export interface DownloadJSON {
  url: string;
  id?: number;
  title?: string;
  quality?: string;
  audio?: string;
  subtitles?: string;
  chapters?: string;
  allowPrivate?: boolean;
  again?: boolean;
  live?: DownloadJSONLiveJSON;
  headers?: Array<string>;
  cookies?: string;
  referrer?: string;
  proxy?: string;
  checksum?: string;
  limit?: string;
}

export interface DownloadJSONLiveJSON {
  seconds?: number;
}

export interface EntryJSON {
  address: string;
}

export interface FeedList {
  feeds: Array<FeedRepresentation>;
}

export interface FeedRepresentation {
  id: number;
  address: string;
  title: string;
  keep: number;
  pages: boolean;
  allowPrivate: boolean;
  hasEnded: boolean;
  createdAt: string;
  checkedAt?: string;
  nextCheckAt?: string;
  error?: ItemFailure;
  entries: number;
  withoutMedia: number;
  items: Array<FeedRepresentationItem>;
}

export interface FeedRepresentationItem {
  id: number;
  title: string;
  isKept: boolean;
}

export interface FeedRequestBody {
  address: string;
  keep?: number;
  pages?: boolean;
  allowPrivate?: boolean;
  headers?: Array<string>;
  cookies?: string;
  referrer?: string;
  proxy?: string;
  checksum?: string;
  limit?: string;
}

export interface FolderJSON {
  folder: string;
  freeBytes?: number;
  canShow: boolean;
}

export interface Handover {
  machine?: string;
  isSent: boolean;
}

export interface HandoverOrderBody {
  on: string;
  url: string;
  id?: number;
  title?: string;
  quality?: string;
  audio?: string;
  subtitles?: string;
  chapters?: string;
  allowPrivate?: boolean;
  again?: boolean;
  live?: DownloadJSONLiveJSON;
  headers?: Array<string>;
  cookies?: string;
  referrer?: string;
  proxy?: string;
  checksum?: string;
  limit?: string;
}

export interface HelloJSON {
  version: number;
  client: number;
  library?: string;
  damage?: string;
}

export interface HouseholdOverview {
  isJoined: boolean;
  isConnected: boolean;
  since?: string;
  problem?: string;
  outboxCount: number;
  name?: string;
  machines: Array<HouseholdOverviewMachine>;
}

export interface HouseholdOverviewMachine {
  name: string;
  page?: string;
  freeBytes?: number;
  readyCount: number;
  waitingCount: number;
}

export interface ImportReport {
  items: number;
  known: number;
  ready: number;
  missing: number;
  unfinished: number;
  feeds: number;
  knownFeeds: number;
  collections: number;
  knownCollections: number;
  settings: number;
  skippedSettings: number;
  withoutOptions: number;
  withoutPermission: number;
}

export interface Invitation {
  address: string;
  rows: Array<string>;
}

export interface ItemFailure {
  code: string;
  message: string;
}

export interface ItemListJSON {
  items: Array<ItemRepresentation>;
  total: number;
  next?: number;
}

export interface ItemRepresentation {
  title: string;
  kind?: string;
  state: "queued" | "fetchingPlaylist" | "fetching" | "muxing" | "verifying" | "unverified" | "paused" | "ready" | "failed" | "missing";
  fileName?: string;
  size?: number;
  mediaType?: string;
  duration?: number;
  width?: number;
  height?: number;
  note?: string;
  error?: ItemFailure;
  createdAt: string;
  readyAt?: string;
  live?: LiveRecording;
  playback?: Playback;
  id: number;
  address: string;
  quality: string;
  audio?: string;
  subtitles?: string;
  keptChapters?: string;
  allowsPrivateAddresses: boolean;
  receivedBytes?: number;
  totalBytes?: number;
  doneSegments?: number;
  totalSegments?: number;
  fraction?: number;
  muxedFraction?: number;
  bytesPerSecond?: number;
  remainingSeconds?: number;
  waiting?: string;
  hasPicture: boolean;
  recordedSeconds?: number;
  position?: number;
  subtitleFiles?: Array<SubtitleRepresentation>;
  path?: string;
  chapters?: Array<Chapter>;
}

export interface ItemsJSON {
  items: Array<ItemRepresentation>;
  counts: Record<string, number>;
}

export interface LessonGroupJSON {
  number: number;
  title: string;
  lessons: Array<LessonJSON>;
}

export interface LessonJSON {
  id: string;
  title: string;
  parts: Array<LessonJSONPart>;
  downloads: Record<string, "notDownloaded" | "queued" | "downloading" | "ready" | "failed">;
}

export interface LessonJSONPart {
  part: "audio" | "video" | "text";
  address: string;
  state: "notDownloaded" | "queued" | "downloading" | "ready" | "failed";
  item?: number;
}

export interface LessonPartsJSON {
  parts: string;
}

export interface LiveRecording {
  seconds?: number;
  isOver: boolean;
}

export interface MediaCandidate {
  address: string;
  title: string;
  format: string;
  referrer?: string;
  picture?: string;
  height?: number;
  duration?: number;
}

export interface MediaCollection {
  id: number;
  name: string;
  items: Array<number>;
  createdAt: string;
}

export interface MediaInspection {
  address: string;
  kind?: string;
  title: string;
  host?: string;
  mediaType?: string;
  size?: number;
  duration?: number;
  isLive: boolean;
  candidates: Array<MediaCandidate>;
  qualities: Array<MediaOfferQuality>;
  audio: Array<MediaOfferLanguage>;
  subtitles: Array<MediaOfferLanguage>;
  notes: Array<string>;
  refusal?: ItemFailure;
}

export interface MediaOfferLanguage {
  language?: string;
  name?: string;
  isKept: boolean;
}

export interface MediaOfferQuality {
  width?: number;
  height?: number;
  bandwidth?: number;
  codecs: Array<string>;
  isKept: boolean;
  problem?: string;
}

export interface NotificationJSON {
  id: string;
  title: string;
  body: string;
  category?: string;
  date: string;
  isRead: boolean;
  banner: boolean;
  itemID?: number;
  actions: Array<NotificationJSONAction>;
}

export interface NotificationJSONAction {
  id: string;
  title: string;
}

export interface NotificationListJSON {
  notifications: Array<NotificationJSON>;
  unread: number;
}

export interface PasteJSON {
  text: string;
  title?: string;
  quality?: string;
  audio?: string;
  subtitles?: string;
  chapters?: string;
  allowPrivate?: boolean;
  again?: boolean;
  headers?: Array<string>;
  cookies?: string;
  referrer?: string;
  proxy?: string;
  checksum?: string;
  limit?: string;
}

export interface PastedAddressesRefusal {
  line: number;
  code: string;
  message: string;
}

export interface PastedJSON {
  items: Array<ItemRepresentation>;
  refused: Array<PastedAddressesRefusal>;
}

export interface Playback {
  seconds: number;
  isWatched: boolean;
  playedAt?: string;
}

export interface PlaybackChange {
  seconds?: number;
  isWatched?: boolean;
  age?: number;
}

export interface PlaybackJSON {
  id: number;
  playback: Playback;
}

export interface PlaybackListJSON {
  items: Array<ItemRepresentation>;
}

export interface PreferencesJSON {
  notifications: "unknown" | "granted" | "denied";
}

export interface PresenceJSON {
  client: number;
  inFront: boolean;
}

export interface ProgressJSON {
  id: number;
  receivedBytes: number;
  totalBytes?: number;
  doneSegments?: number;
  totalSegments?: number;
  fraction?: number;
  muxedFraction?: number;
  bytesPerSecond?: number;
  remainingSeconds?: number;
  waiting?: string;
  recordedSeconds?: number;
}

export interface QueuePlace {
  to: string;
  item?: number;
}

export interface QueueState {
  running: Array<number>;
  waitingForNetwork: Array<number>;
  hoursBegin?: string;
  isDiskFull: boolean;
}

export interface RefreshOptions {
  removeMissing?: boolean;
  import?: boolean;
  confirmed?: boolean;
}

export interface RefreshReport {
  checked: number;
  missing: Array<RefreshReportEntry>;
  returned: Array<RefreshReportEntry>;
  orphans: Array<RefreshReportFile>;
  imported: Array<RefreshReportEntry>;
  unverified: number;
  failures: number;
  removed: Array<RefreshReportEntry>;
  problems: Array<string>;
  needsConfirmation: boolean;
}

export interface RefreshReportEntry {
  id: number;
  title: string;
}

export interface RefreshReportFile {
  name: string;
  size: number;
}

export interface RemovalJSON {
  removed: number;
}

export interface RemovedJSON {
  id: number;
}

export interface ReportRepresentation {
  summary: ReportSummary;
  application: string;
  release: string;
  environment?: string;
  user?: string;
  errors: Array<ReportedError>;
  context: Record<string, string | number | boolean>;
  values: Record<string, string | number | boolean>;
  breadcrumbs: Array<ReportRepresentationCrumb>;
  frames: Array<ReportRepresentationFrame>;
  threads: Array<ReportRepresentationThread>;
  crash?: ReportRepresentationCrash;
  machine: Record<string, string>;
  outgoing: string;
}

export interface ReportRepresentationCrash {
  signal: string;
  address?: string;
  reason?: string;
  text?: string;
  threadName?: string;
  thread: number;
  sender?: number;
  isTruncated: boolean;
  isRecovered: boolean;
}

export interface ReportRepresentationCrumb {
  date: string;
  secondsBefore: number;
  origin: string;
  text: string;
  location?: string;
}

export interface ReportRepresentationFrame {
  address: string;
  function?: string;
  file?: string;
  line?: number;
  image?: string;
  isSystem: boolean;
  isInlined: boolean;
  isScanned: boolean;
}

export interface ReportRepresentationThread {
  number: number;
  name?: string;
  frames: Array<ReportRepresentationFrame>;
}

export interface ReportSummary {
  id: string;
  date: string;
  kind: string;
  level: string;
  message: string;
  place?: string;
}

export interface ReportedError {
  domain: string;
  code?: string;
  message: string;
  location?: string;
}

export interface ReportsOverview {
  reports: Array<ReportSummary>;
  consent: string;
  destination?: string;
  sendingFailure?: SendingFailure;
  isRecording: boolean;
  catchesCrashes: boolean;
  problems: Array<string>;
  previousRun: ReportsOverviewPreviousRun;
}

export interface ReportsOverviewPreviousRun {
  end: string;
  report?: ReportSummary;
}

export interface ResponseJSON {
  action?: string;
}

export interface RetryJSON {
  address?: string;
}

export interface SendingFailure {
  kind: string;
  date: string;
  message: string;
  retry?: string;
}

export interface ShownJSON {
  shown: string;
}

export interface SubtitleRepresentation {
  number: number;
  language?: string;
  name: string;
  fileName: string;
}

export interface TestReportJSON {
  id: string;
}

export interface TitleJSON {
  title: string;
}

export interface TrackRepresentation {
  kind: string;
  codec: string;
  language?: string;
  width?: number;
  height?: number;
  name?: string;
  purpose?: "describes-video" | "transcribes-dialog" | "commentary";
  title: string;
}

export interface TracksJSON {
  tracks: Array<TrackRepresentation>;
}

export interface UnfollowedJSON {
  unfollowed: number;
}

export interface UnreadJSON {
  unread: number;
}

export interface VerificationReport {
  run: number;
  isRunning: boolean;
  isStopped: boolean;
  checked: number;
  total: number;
  bytes: number;
  totalBytes: number;
  intact: number;
  recorded: number;
  problems: Array<VerificationReportProblem>;
}

export interface VerificationReportProblem {
  id: number;
  title: string;
  outcome: "damaged" | "missing" | "unreadable" | "unfinished";
  message: string;
}

export interface VerifyJSON {
  ids?: Array<number>;
  acceptSubtitles?: boolean;
}
