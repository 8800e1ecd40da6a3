# Takes everything from itself that a decoder has no use for, and becomes the decoder. One start of an interpreter that every
# Debian has, instead of one program per step. Whatever was asked for and is refused ends it with 125: it never goes on with less.
#
#   perl launcher.pl OPTION... -- PROGRAM ARGUMENT...
#     --arch=x64|arm64          whose system calls these are
#     --limit=RESOURCE:SOFT:HARD  one of setrlimit(2), by number
#     --id=NUMBER               the user and group to become; with --user only by name, as the new user namespace sees it
#     --user                    a user namespace, for whoever may not make the other ones
#     --root=FOLDER             mount, PID, IPC, network, UTS and cgroup namespaces, and a file system of its own mounted there
#     --landlock                instead of a file system of its own: a ruleset over the machine's
#     --folder=PATH             what is in either of them, to be read and run from
#     --file=PATH               the same for one file
#     --input=PATH              what the ruleset lets be read beside the open files
#     --filter=DESCRIPTOR       the system-call filter, a program for seccomp(2)
my $KILL = 9;

my %numbers = (
  x64 => {mount => 165, umount2 => 166, pivot_root => 155, unshare => 272, prctl => 157, seccomp => 317, capset => 126,
    setgroups => 116, setresuid => 117, setresgid => 119, prlimit64 => 302},
  arm64 => {mount => 40, umount2 => 39, pivot_root => 41, unshare => 97, prctl => 167, seccomp => 277, capset => 91,
    setgroups => 159, setresuid => 147, setresgid => 149, prlimit64 => 261},
);
my (%option, @limits, @paths);
while (defined(my $word = shift @ARGV)) {
  last if $word eq '--';
  $word =~ /^--([a-z]+)(?:=(.*))?$/s or fail("option $word");
  my ($name, $value) = ($1, $2);
  if ($name eq 'limit') { push @limits, [map { $_ + 0 } split /:/, $value] }
  elsif ($name =~ /^(?:folder|file|input)$/) { push @paths, [$name, $value] }
  else { $option{$name} = defined $value ? $value : 1 }
}
my $number = $numbers{$option{arch}} or fail('architecture');
# The same on every architecture since 5.1.
$number->{mount_setattr} = 442;
@$number{qw(landlock_create_ruleset landlock_add_rule landlock_restrict_self)} = (444, 445, 446);
$number->{close_range} = 436;

sub fail { syswrite STDERR, "launcher: $_[0]: $!\n"; exit 125 }
# Perl hands a number to the kernel as it is and a string as its address.
sub try { my $name = shift; syscall($number->{$name}, @_) }
sub call { my $name = $_[0]; my $result = &try; fail($name) if $result == -1; $result }
sub written { my ($file, $text) = @_; open my $to, '>', $file or fail($file); syswrite $to, $text or fail($file); close $to }

my $filter;
if (defined $option{filter}) {
  open my $from, '<&=', $option{filter} or fail('filter');
  binmode $from;
  local $/;
  $filter = <$from>;
  close $from;
}
my $id = defined $option{id} ? $option{id} + 0 : undef;
my ($uid, $gid) = ($>, $) + 0);

# prctl: PR_SET_PDEATHSIG. A worker that is killed takes this with it.
my $parent = getppid;
call('prctl', 1, $KILL, 0, 0, 0);
# Readable from the end of the first process on, for the one in its PID namespace, which is told no parent.
my $orphaned;
isolate() if defined $option{root};
ruleset() if $option{landlock};
chdir '/' or fail('/');
privileges();
confined();
exec { $ARGV[0] } @ARGV or fail($ARGV[0]);

# Namespaces hold for children: the first child is the decoder, and process 1 of what it can see. Its end is passed on.
sub isolate {
  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWPID, NEWNET; with NEWUSER they belong to that.
  my $spaces = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000;
  call('unshare', $option{user} ? $spaces | 0x10000000 : $spaces);
  if ($option{user}) {
    written('/proc/self/setgroups', 'deny');
    written('/proc/self/uid_map', "$id $uid 1");
    written('/proc/self/gid_map', "$id $gid 1");
  }
  pipe $orphaned, my $life or fail('pipe');
  defined(my $child = fork) or fail('fork');
  if ($child) {
    # Whoever waits for a pipe's end waits for the decoder's alone.
    my $kept = fileno $life;
    call('close_range', 0, $kept - 1, 0);
    call('close_range', $kept + 1, 0xffffffff, 0);
    waitpid $child, 0;
    my ($signal, $code) = ($? & 127, $? >> 8);
    kill $signal, $$ if $signal;
    exit($signal ? 128 + $signal : $code);
  }
  close $life;
  call('prctl', 1, $KILL, 0, 0, 0);
  own_root($option{root});
}

sub mounted {
  my ($source, $target, $type, $flags, $data) = @_;
  call('mount', $source, $target, $type, $flags, $data);
}

sub made {
  my ($path) = @_;
  my $at = '';
  for my $part (split m{/}, $path) {
    next if $part eq '';
    $at .= ($at eq '' ? '' : '/') . $part;
    -d $at || mkdir($at, 0755) || fail($at);
  }
}

# struct mount_attr: MOUNT_ATTR_RDONLY, NOSUID and, but for device files, NODEV.
sub sealed {
  my ($path, $recursive, $attributes) = @_;
  my $wish = pack 'Q4', $attributes, 0, 0, 0;
  call('mount_setattr', -100, $path, $recursive ? 0x8000 : 0, $wish, length $wish);
}

sub bound {
  my ($path, $target, $attributes) = @_;
  # MS_BIND, MS_REC.
  mounted($path, $target, '', 0x1000 | 0x4000, '');
  sealed($target, 1, $attributes);
}

sub own_root {
  my ($folder) = @_;
  # MS_REC, MS_PRIVATE: nothing of this is seen outside.
  mounted('', '/', '', 0x4000 | 0x40000, '');
  # MS_NOSUID, MS_NODEV.
  mounted('tmpfs', $folder, 'tmpfs', 0x2 | 0x4, 'size=256k,mode=755');
  chdir $folder or fail($folder);
  umask 022;
  for (@paths) {
    my ($kind, $path) = @$_;
    next if $kind eq 'input';
    my $place = substr $path, 1;
    if (-l $path && $kind eq 'folder') {
      made($place =~ m{^(.*)/} ? $1 : '');
      symlink readlink $path, $place or fail($place);
      next;
    }
    # Below a folder that is there already.
    next if -e $place;
    if ($kind eq 'folder') { made($place) }
    else { made($place =~ m{^(.*)/} ? $1 : ''); open my $empty, '>', $place or fail($place) }
    bound($path, $place, 1 | 2 | 4);
  }
  made('dev');
  for my $device ('null', 'urandom') {
    open my $empty, '>', "dev/$device" or fail($device);
    close $empty;
    bound("/dev/$device", "dev/$device", 1 | 2);
  }
  symlink '/proc/self/fd', 'dev/fd' or fail('dev/fd');
  made('proc');
  # MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC: of this PID namespace, its own processes and nothing of the kernel.
  mounted('proc', 'proc', 'proc', 0x1 | 0x2 | 0x4 | 0x8, 'subset=pid,hidepid=2');
  my $here = '.';
  call('pivot_root', $here, $here);
  # MNT_DETACH.
  call('umount2', $here, 2);
  chdir '/' or fail('/');
  sealed('/', 0, 1 | 2 | 4);
}

# Landlock, by what this kernel knows of it: reading, and running where that is said.
sub ruleset {
  my $version = call('landlock_create_ruleset', 0, 0, 1);
  my $files = $version >= 5 ? 0xffff : $version >= 3 ? 0x7fff : $version == 2 ? 0x3fff : 0x1fff;
  # TCP from the fourth version on, abstract sockets and signals from the sixth.
  my $rules = pack 'Q3', $files, $version >= 4 ? 3 : 0, $version >= 6 ? 3 : 0;
  my $set = call('landlock_create_ruleset', $rules, length $rules, 0);
  # EXECUTE 1, READ_FILE 4, READ_DIR 8.
  my %rights = (folder => 1 | 4 | 8, file => 1 | 4, input => 4);
  for (@paths) {
    my ($kind, $path) = @$_;
    # O_PATH, O_CLOEXEC.
    sysopen my $at, $path, 0x200000 | 0x80000 or fail($path);
    my $rule = pack 'Q l', $rights{$kind}, fileno $at;
    call('landlock_add_rule', $set, 1, $rule, 0);
    close $at;
  }
  $option{ruleset} = $set;
}

sub privileges {
  my $root = $> == 0 || $option{user};
  if ($root) {
    # PR_CAPBSET_DROP, up to the last capability that this kernel has.
    for my $capability (0 .. 63) {
      next if try('prctl', 24, $capability, 0, 0, 0) == 0;
      # EINVAL: that was the last. EPERM: without new privileges the set gives nothing, so it may stay.
      $! == 22 || $! == 1 ? last : fail('bounding set');
    }
  }
  if (defined $id && !$option{user}) {
    call('setgroups', 0, 0);
    call('setresgid', $id, $id, $id);
    call('setresuid', $id, $id, $id);
  }
  # PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL; then the permitted, effective and inheritable ones.
  call('prctl', 47, 4, 0, 0, 0);
  my ($header, $none) = (pack('L l', 0x20080522, 0), pack('L6', (0) x 6));
  call('capset', $header, $none);
  # PR_SET_NO_NEW_PRIVS; the change of identity has forgotten whose end is this one's.
  call('prctl', 38, 1, 0, 0, 0);
  call('prctl', 1, $KILL, 0, 0, 0);
  # ESRCH.
  if (orphaned()) { $! = 3; fail('parent') }
}

# Whose end this one's is to be may have come before the kernel was told of it.
sub orphaned {
  return getppid != $parent unless defined $orphaned;
  vec(my $ready = '', fileno $orphaned, 1) = 1;
  return select($ready, undef, undef, 0) != 0;
}

sub confined {
  for (@limits) {
    my ($resource, $soft, $hard) = @$_;
    my $limit = pack 'Q2', $soft, $hard;
    call('prlimit64', 0, $resource, $limit, 0);
  }
  if (defined $option{ruleset}) {
    call('landlock_restrict_self', $option{ruleset}, 0);
    # It is not the decoder's.
    call('close_range', $option{ruleset}, $option{ruleset}, 0);
  }
  if (defined $filter) {
    my $program = pack 'S x6 P', length($filter) / 8, $filter;
    # SECCOMP_SET_MODE_FILTER.
    call('seccomp', 1, 0, $program);
  }
}
